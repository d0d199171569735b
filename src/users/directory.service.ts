import { Injectable } from '@nestjs/common';
import { sql } from '#libs/database';
import { ForbiddenError } from '#libs/errors';
import { type Caller, isAdmin } from '../sessions/caller';
import { type AdminRow, DirectoryRepository } from './directory.repository';
import type { ListAdminsQuery, LookupUsersQuery } from './dto/directory.query';
import type { AdminDto, AdminsDto, FoundUsersDto, ProfileDto, UserDto } from './dto/user.dto';
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

  async lookup({ platformId }: Caller, { q, limit }: LookupUsersQuery): Promise<FoundUsersDto> {
    return { items: await this.directory.lookup(platformId, q, limit, sql`true`) };
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
