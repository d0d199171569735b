import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, IdPath, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { SaveUserDto } from './dto/save-user.dto';
import { type DeletedUserDto, type MeDto, UserDto } from './dto/user.dto';
import { UsersService } from './users.service';

@Controller('api/user')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /**
   * Read the signed-in user
   * @remarks The caller's own record with their groups, access tags and platform.
   */
  @Get('me')
  @Access.member()
  me(@CurrentCaller() caller: Caller): Promise<MeDto> {
    return this.users.me(caller);
  }

  /**
   * Add or edit a user
   * @remarks Without `id` an admin adds a user to their platform, and the answer carries a token of the new
   * user. With `id` an admin edits any user of the platform and everyone else only themself; from others than
   * admins role, status, platform, groups and access tags may be sent only as they are.
   */
  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access.member()
  @ApiAddedOrEdited(UserDto)
  @Refuses({
    403: 'The caller is no admin and adds a user, edits someone else or changes a privileged field; or the platform is not theirs.',
    404: 'The platform has no user with this id.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveUserDto): Promise<AddedOrEdited<UserDto>> {
    return this.users.save(caller, dto);
  }

  /**
   * Delete a user
   * @remarks For admins and for oneself. Sessions end, personal data goes and the address is free again; what
   * the user wrote stays, with the author shown as `Deleted user`.
   */
  @Delete(':id')
  @Access.member({ banned: true })
  @Refuses({ 403: 'Only admins delete other users.', 404: 'The platform has no user with this id.' })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedUserDto> {
    return this.users.remove(caller, id);
  }
}
