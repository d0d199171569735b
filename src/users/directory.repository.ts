import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, type Sql, sql } from '#libs/database';
import { likePattern, searchKey } from '#libs/text';
import type { NamedDto } from '#libs/http';
import { groupIdsOf, groupVisible } from '../groups/membership.sql';
import type { Caller } from '../sessions/caller';
import type { ListAdminsQuery } from './dto/directory.query';
import type { FoundUserDto } from './dto/user.dto';
import type { User } from './user.entity';

export type AdminRow = Pick<User, 'id' | 'name' | 'photoUrl' | 'role' | 'createdAt' | 'email'>;

/** Finding people. */
@Injectable()
export class DirectoryRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @param among a condition on the user `u` */
  async lookup(platformId: number, q: string, limit: number, among: Sql): Promise<FoundUserDto[]> {
    const pattern = likePattern(searchKey(q));
    return this.db.rows(sql`
      select u.id, u.name, u."photoUrl" from users u
       where u."PlatformId" = ${platformId} and u.status = 'active' and u."deletedAt" is null
         and (u."nameKey" like ${`${pattern}%`} or u."nameKey" like ${`% ${pattern}%`}) and ${among}
       order by u."nameKey", u.id limit ${limit}`);
  }

  async admins(
    platformId: number,
    { page, limit }: ListAdminsQuery,
  ): Promise<{ rows: AdminRow[]; total: number }> {
    const rows = await this.db.rows<AdminRow>(sql`
      select id, name, "photoUrl", role, "createdAt", email from users
       where "PlatformId" = ${platformId} and role = 'admin' and "deletedAt" is null
       order by id limit ${limit} offset ${(page - 1) * limit}`);
    const count = await this.db.row<{ total: number }>(sql`
      select count(*)::int as total from users
       where "PlatformId" = ${platformId} and role = 'admin' and "deletedAt" is null`);
    return { rows, total: count?.total ?? 0 };
  }

  /** The groups of someone whose existence the viewer may see. */
  async groupsSeenBy(viewer: Caller, userId: number): Promise<NamedDto[]> {
    const now = this.clock.now();
    return this.db.rows(sql`
      select g.id, g.name from groups g
       where g."PlatformId" = ${viewer.platformId} and g.id = any(${groupIdsOf({ userId }, now)})
         and ${groupVisible('g', viewer, now)}
       order by g.position, g.id`);
  }
}
