import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, type AddedOrEdited, ApiAddedOrEdited, IdPath, type Page, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { DecideRequestDto, JoinGroupDto } from './dto/change-members.dto';
import {
  type DecidedRequestDto,
  type JoinRequestDto,
  JoinRequestPageDto,
  type LeftGroupDto,
} from './dto/group-member.dto';
import { MembershipDto } from './dto/group.dto';
import { ListRequestsQuery } from './dto/list-groups.query';
import { MembershipsService } from './memberships.service';

const NO_GROUP = 'There is no such group, or the caller may not know of it.';

@Controller('api/group/:id')
export class MembershipsController {
  constructor(private readonly memberships: MembershipsService) {}

  /**
   * Join a group
   * @remarks An open group is joined at once; one that takes requests answers a membership with the status
   * `pending`. Who is in it already, or has asked, gets what is there, with false.
   */
  @Post('join')
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(MembershipDto)
  @Refuses({ 403: 'The group is closed or archived, or the caller is banned from it.', 404: NO_GROUP })
  join(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: JoinGroupDto,
  ): Promise<AddedOrEdited<MembershipDto>> {
    return this.memberships.join(caller, id, dto);
  }

  /**
   * Leave a group
   * @remarks Or take back the request to join it.
   */
  @Post('leave')
  @HttpCode(200)
  @Access.member()
  @Refuses({
    404: 'There is no such group, or the caller has no membership of their own.',
    409: 'The last owner cannot leave.',
  })
  leave(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<LeftGroupDto> {
    return this.memberships.leave(caller, id);
  }

  /**
   * List who asks to join a group
   * @remarks For its owners, moderators and admins; the first who asked comes first.
   */
  @Get('requests')
  @Access.member()
  @ApiOkResponse({ type: JoinRequestPageDto })
  @Refuses({ 403: 'The caller does not decide who is in the group.', 404: NO_GROUP })
  requests(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Query() query: ListRequestsQuery,
  ): Promise<Page<JoinRequestDto>> {
    return this.memberships.requests(caller, id, query);
  }

  /**
   * Decide on a request to join a group
   * @remarks For its owners, moderators and admins.
   */
  @Post('requests/:userId')
  @HttpCode(200)
  @Access.member()
  @Refuses({
    403: 'The caller does not decide who is in the group.',
    404: 'There is no such group, or the user does not ask to join it.',
  })
  decide(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Param('userId', IdPath) userId: number,
    @Body() dto: DecideRequestDto,
  ): Promise<DecidedRequestDto> {
    return this.memberships.decide(caller, id, userId, dto);
  }
}
