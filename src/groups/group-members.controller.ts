import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, IdPath, type Page, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { AddMembersDto } from './dto/change-members.dto';
import {
  type AddedMembersDto,
  type GroupMemberDto,
  GroupMemberPageDto,
  type RemovedMemberDto,
} from './dto/group-member.dto';
import { ListMembersQuery } from './dto/list-groups.query';
import { GroupMembersService } from './group-members.service';

const NO_GROUP = 'There is no such group, or the caller may not know of it.';

@Controller('api/group/:id/members')
export class GroupMembersController {
  constructor(private readonly members: GroupMembersService) {}

  /**
   * List the members of a group
   * @remarks For its members and staff; of a public group for every member of the platform. Those who belong to
   * it by tag rule are among them, with the source `tag`.
   */
  @Get()
  @Access.member()
  @ApiOkResponse({ type: GroupMemberPageDto })
  @Refuses({ 403: 'Only its members and staff see who is in the group.', 404: NO_GROUP })
  list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Query() query: ListMembersQuery,
  ): Promise<Page<GroupMemberDto>> {
    return this.members.list(caller, id, query);
  }

  /**
   * Add members to a group
   * @remarks For its owners, moderators and admins; only owners and admins make or change moderators and owners.
   * Those who are in the group already get the role and end that were sent.
   */
  @Post()
  @HttpCode(200)
  @Access.member()
  @Refuses({
    403: 'The caller does not decide who is in the group, or not in this role.',
    404: NO_GROUP,
    409: 'The group would be left without an owner.',
  })
  add(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: AddMembersDto,
  ): Promise<AddedMembersDto> {
    return this.members.add(caller, id, dto);
  }

  /**
   * Remove a member from a group
   * @remarks For its owners, moderators and admins. Who belongs to it by tag rule stays as long as they hold the
   * tag.
   */
  @Delete(':userId')
  @Access.member()
  @Refuses({
    403: 'The caller does not decide who is in the group, or may not remove this one.',
    404: 'There is no such group, or the user has no membership of their own.',
    409: 'The group would be left without an owner.',
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Param('userId', IdPath) userId: number,
  ): Promise<RemovedMemberDto> {
    return this.members.remove(caller, id, userId);
  }
}
