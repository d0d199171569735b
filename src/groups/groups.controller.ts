import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import {
  Access,
  type AddedOrEdited,
  ApiAddedOrEdited,
  IdPath,
  type Page,
  Refuses,
  type SuccessDto,
} from '#libs/http';
import type { DeletedGateEntryDto } from '../access-tags/dto/deleted-entry.dto';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { GroupDto, type GroupOptionDto, GroupPageDto } from './dto/group.dto';
import { ListGroupsQuery } from './dto/list-groups.query';
import { ReorderGroupsDto } from './dto/reorder-groups.dto';
import { SaveGroupDto } from './dto/save-group.dto';
import { GroupsService } from './groups.service';

@Controller('api')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  /**
   * Add or edit a group
   * @remarks Admins and creators add groups and become their owners. A group is edited by its owners and by
   * admins.
   */
  @Post('group')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @ApiAddedOrEdited(GroupDto)
  @Refuses({
    403: 'Only its owners and admins edit a group.',
    404: 'The platform has no group with this id.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveGroupDto): Promise<AddedOrEdited<GroupDto>> {
    return this.groups.save(caller, dto);
  }

  /**
   * Read a group
   * @remarks With the caller's own membership.
   */
  @Get('group/:id')
  @Access.member()
  @Refuses({ 404: 'There is no such group, or the caller may not know of it.' })
  read(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<GroupDto> {
    return this.groups.read(caller, id);
  }

  /**
   * Read a group by its slug
   * @remarks Without a token public groups only.
   */
  @Get('group-by-slug/:slug/:PlatformId')
  @Access.optional()
  @Refuses({ 404: 'There is no such group, or the caller may not know of it.' })
  readBySlug(
    @CurrentViewer() viewer: Viewer,
    @Param('slug') slug: string,
    @Param('PlatformId', IdPath) platformId: number,
  ): Promise<GroupDto> {
    return this.groups.readBySlug(viewer, slug, platformId);
  }

  /**
   * List groups
   * @remarks Those that the caller may know of; without a token public ones only. Archived groups are listed
   * with the filter `archived:true`.
   */
  @Get('groups')
  @Access.optional()
  @ApiOkResponse({ type: GroupPageDto })
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListGroupsQuery): Promise<Page<GroupDto>> {
    return this.groups.list(viewer, query);
  }

  /**
   * List groups to choose from
   * @remarks All of the platform that are not archived, by position.
   */
  @Get('group-options')
  @Access.role('admin', 'creator')
  options(@CurrentCaller() caller: Caller): Promise<GroupOptionDto[]> {
    return this.groups.options(caller);
  }

  /**
   * Reorder groups
   * @remarks The listed groups stand in the given order where the first of them stood; the others keep theirs.
   */
  @Post('groups/reorder')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @Refuses({ 404: 'One of the ids is no group of the platform.' })
  reorder(@CurrentCaller() caller: Caller, @Body() dto: ReorderGroupsDto): Promise<SuccessDto> {
    return this.groups.reorder(caller, dto);
  }

  /**
   * Delete a group
   * @remarks For its owners and admins. Content and collections whose gate had no other entry stay closed to all
   * but their author and staff until they are saved again.
   */
  @Delete('group/:id')
  @Access.member()
  @Refuses({
    403: 'Only its owners and admins delete a group.',
    404: 'There is no such group, or the caller may not know of it.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedGateEntryDto> {
    return this.groups.remove(caller, id);
  }
}
