import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Access, IdPath, type Page, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { DirectoryService } from './directory.service';
import { ListAdminsQuery, ListUsersQuery, LookupUsersQuery } from './dto/directory.query';
import {
  type AdminsDto,
  type FoundUsersDto,
  type ListedUserDto,
  ListedUserPageDto,
  ProfileDto,
  UserDto,
} from './dto/user.dto';

@Controller('api')
export class DirectoryController {
  constructor(private readonly directory: DirectoryService) {}

  /**
   * Look people up by name
   * @remarks Active members one of whose names begins so: for mentions.
   */
  @Get('users/lookup')
  @Access.member()
  @Refuses({ 404: 'The platform has no item `contentId` that the caller may read.' })
  lookup(@CurrentCaller() caller: Caller, @Query() query: LookupUsersQuery): Promise<FoundUsersDto> {
    return this.directory.lookup(caller, query);
  }

  /**
   * List the users of one's platform
   * @remarks For admins and creators; e-mail addresses are for admins.
   */
  @Get('users')
  @Access.role('admin', 'creator')
  @ApiOkResponse({ type: ListedUserPageDto })
  list(@CurrentCaller() caller: Caller, @Query() query: ListUsersQuery): Promise<Page<ListedUserDto>> {
    return this.directory.list(caller, query);
  }

  /**
   * Read a user
   * @remarks The public profile; for oneself and for admins the whole record.
   */
  @Get('user/:id')
  @Access.member()
  @ApiExtraModels(ProfileDto, UserDto)
  @ApiOkResponse({
    description: 'The profile; for oneself and for admins the record.',
    schema: { oneOf: [{ $ref: getSchemaPath(ProfileDto) }, { $ref: getSchemaPath(UserDto) }] },
  })
  @Refuses({ 404: 'The platform has no user with this id.' })
  read(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<ProfileDto | UserDto> {
    return this.directory.read(caller, id);
  }

  /**
   * List the admins of a platform
   * @remarks For members of the platform. E-mail addresses are for admins.
   */
  @Get('platform/:platformId/admins')
  @Access.member()
  @Refuses({ 403: 'The caller is not of this platform.' })
  admins(
    @CurrentCaller() caller: Caller,
    @Param('platformId', IdPath) platformId: number,
    @Query() query: ListAdminsQuery,
  ): Promise<AdminsDto> {
    return this.directory.admins(caller, platformId, query);
  }
}
