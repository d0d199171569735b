import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, IdPath, type Page, Refuses } from '#libs/http';
import type { DeletedGateEntryDto } from './dto/deleted-entry.dto';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { AccessTagsService } from './access-tags.service';
import {
  type AccessTagDto,
  type AccessTagHolderDto,
  AccessTagHolderPageDto,
  type AddedAccessTagDto,
  type ChangedHoldersDto,
} from './dto/access-tag.dto';
import { ListHoldersQuery } from './dto/list-holders.query';
import { AddAccessTagDto, GrantAccessTagDto, RevokeAccessTagDto } from './dto/save-access-tag.dto';

@Controller('api')
export class AccessTagsController {
  constructor(private readonly accessTags: AccessTagsService) {}

  /**
   * List the access tags
   * @remarks All of the caller's platform, oldest first.
   */
  @Get('access-tags')
  @Access.role('admin', 'creator')
  list(@CurrentCaller() caller: Caller): Promise<AccessTagDto[]> {
    return this.accessTags.list(caller);
  }

  /**
   * Add an access tag
   * @remarks On the caller's platform. When a tag of the same title and author is there, its id is answered and
   * no second one made.
   */
  @Post('access-tag')
  @HttpCode(200)
  @Access.member()
  @Refuses({ 403: 'Only admins name another author.' })
  add(@CurrentCaller() caller: Caller, @Body() dto: AddAccessTagDto): Promise<AddedAccessTagDto> {
    return this.accessTags.add(caller, dto);
  }

  /**
   * Read an access tag
   * @remarks For its author, admins and creators.
   */
  @Get('access-tag/:id')
  @Access.member()
  @Refuses({
    403: 'Only its author, admins and creators see a tag.',
    404: 'The platform has no access tag with this id.',
  })
  read(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<AccessTagDto> {
    return this.accessTags.read(caller, id);
  }

  /**
   * Delete an access tag
   * @remarks For its author and admins. Content whose gate had no other entry stays closed to all but its author
   * and staff until it is saved again.
   */
  @Delete('access-tag/:id')
  @Access.member()
  @Refuses({
    403: 'Only its author and admins delete a tag.',
    404: 'The platform has no access tag with this id.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedGateEntryDto> {
    return this.accessTags.remove(caller, id);
  }

  /**
   * List who holds an access tag
   * @remarks Those whose tag has not expired.
   */
  @Get('access-tag/:id/users')
  @Access.role('admin', 'creator')
  @ApiOkResponse({ type: AccessTagHolderPageDto })
  @Refuses({ 404: 'The platform has no access tag with this id.' })
  holders(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Query() query: ListHoldersQuery,
  ): Promise<Page<AccessTagHolderDto>> {
    return this.accessTags.holders(caller, id, query);
  }

  /**
   * Give users an access tag
   * @remarks `count` is how many of them hold it now: all that were named. A member holds at most 100 at a time;
   * when one of them would hold more, nobody gets it.
   */
  @Post('access-tag/:id/users')
  @HttpCode(200)
  @Access.role('admin')
  @Refuses({ 404: 'The platform has no access tag with this id.' })
  grant(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: GrantAccessTagDto,
  ): Promise<ChangedHoldersDto> {
    return this.accessTags.grant(caller, id, dto);
  }

  /**
   * Take an access tag from users
   * @remarks `count` is how many of them held it.
   */
  @Delete('access-tag/:id/users')
  @Access.role('admin')
  @Refuses({ 404: 'The platform has no access tag with this id.' })
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: RevokeAccessTagDto,
  ): Promise<ChangedHoldersDto> {
    return this.accessTags.revoke(caller, id, dto);
  }
}
