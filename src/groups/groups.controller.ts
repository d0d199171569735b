import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../sessions/caller';
import { GroupDto } from './dto/group.dto';
import { SaveGroupDto } from './dto/save-group.dto';
import { GroupsService } from './groups.service';

@Controller('api')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  /**
   * Add or edit a group
   * @remarks Admins and creators add groups and become their owners. A group is edited by its owner and by
   * admins.
   */
  @Post('group')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @ApiAddedOrEdited(GroupDto)
  @Refuses({ 403: 'Only the owner and admins edit a group.', 404: 'The platform has no group with this id.' })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveGroupDto): Promise<AddedOrEdited<GroupDto>> {
    return this.groups.save(caller, dto);
  }
}
