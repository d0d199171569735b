import { Injectable } from '@nestjs/common';
import { ForbiddenError, NotFoundError } from '#libs/errors';
import { type Page, pageOf } from '#libs/http';
import { type Caller, isAdmin } from '../kernel/callers/caller';
import { type AdminRow, DirectoryRepository, type ListedUserRow } from './directory.repository';
import type { ListAdminsQuery, ListUsersQuery, LookupUsersQuery } from './dto/directory.query';
import type { AdminDto, AdminsDto, FoundUsersDto, ListedUserDto, ProfileDto, UserDto } from './dto/user.dto';
import type { User } from './user.entity';
import { presentUpdatedUser } from './user.presenter';
import { UsersRepository } from './users.repository';

/** People, as others on the platform find them. */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Who may read an item is told to those who may read it themselves; to others there is no such item. */
  async lookup(caller: Caller, query: LookupUsersQuery): Promise<FoundUsersDto> {
    const { contentId } = query;
    if (contentId !== undefined && !(await this.directory.reads(caller, contentId)))
      throw new NotFoundError();
    return { items: await this.directory.lookup(caller.platformId, query) };
  }

  async list(caller: Caller, query: ListUsersQuery): Promise<Page<ListedUserDto>> {
    const { rows, total } = await this.directory.page(caller.platformId, query);
    return pageOf(
      rows.map((row) => presentListed(row, isAdmin(caller))),
      total,
      query,
    );
  }

  /** The whole record for oneself and for admins, the profile for other members. */
  async read(caller: Caller, id: number): Promise<ProfileDto | UserDto> {
    const user = await this.users.get(caller.platformId, id);
    const groups = await this.directory.groupsSeenBy(caller, id);
    if (isAdmin(caller) || caller.userId === id) return presentUpdatedUser(user, groups);
    return presentProfile(user, groups);
  }

  async admins(caller: Caller, platformId: number, query: ListAdminsQuery): Promise<AdminsDto> {
    if (caller.platformId !== platformId) throw new ForbiddenError('This is not your platform.');
    const { rows, total } = await this.directory.admins(platformId, query);
    const admins = rows.map((row) => presentAdmin(row, isAdmin(caller)));
    return { admins, total, page: query.page, limit: query.limit };
  }
}

const presentProfile = (user: User, groups: ProfileDto['Groups']): ProfileDto => ({
  id: user.id,
  name: user.name,
  photoUrl: user.photoUrl,
  bannerImageUrl: user.bannerImageUrl,
  notes: user.notes,
  role: user.role,
  createdAt: user.createdAt,
  Groups: groups,
});

const presentAdmin = (
  { id, name, role, photoUrl, createdAt, email }: AdminRow,
  withEmail: boolean,
): AdminDto => ({
  id,
  name,
  photoUrl,
  role,
  createdAt,
  ...(withEmail && { email }),
});

const presentListed = (row: ListedUserRow, withEmail: boolean): ListedUserDto => ({
  id: row.id,
  name: row.name,
  photoUrl: row.photoUrl,
  role: row.role,
  status: row.status,
  banned: row.banned,
  createdAt: row.createdAt,
  ...(withEmail && { email: row.email }),
});
