import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { containsWords, Database, equals, orderBy, type PageRows, raw, type Sql, sql } from '#libs/database';
import { likePattern, searchKey } from '#libs/text';
import { type NamedDto, offsetOf } from '#libs/http';
import { mayRead } from '../kernel/access/content.access';
import { accessTagIdsOf, groupIdsOf, groupVisible } from '../kernel/access/membership.sql';
import { isBanned } from '../kernel/access/banned.sql';
import type { Caller } from '../kernel/callers/caller';
import type { ListAdminsQuery, ListUsersQuery, LookupUsersQuery } from './dto/directory.query';
import type { FoundUserDto } from './dto/user.dto';
import type { User } from './user.entity';

export type ListedUserRow = Pick<
  User,
  'id' | 'name' | 'photoUrl' | 'role' | 'status' | 'createdAt' | 'email'
> & {
  banned: boolean;
};

export type AdminRow = Pick<User, 'id' | 'name' | 'photoUrl' | 'role' | 'createdAt' | 'email'>;

/** Finding people. */
@Injectable()
export class DirectoryRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Whether the caller may read the item. */
  async reads({ userId }: Caller, contentId: number): Promise<boolean> {
    const row = await this.db.row(sql`
      select 1 from users u join contents c on c.id = ${contentId}
       where u.id = ${userId} and ${mayRead('u', 'c', this.clock.now())}`);
    return row !== undefined;
  }

  /** With `contentId` only those who may read that item; of an item that is not there nobody may. */
  async lookup(platformId: number, { q, limit, contentId }: LookupUsersQuery): Promise<FoundUserDto[]> {
    const among =
      contentId === undefined
        ? sql`true`
        : sql`exists (select 1 from contents c where c.id = ${contentId} and ${mayRead('u', 'c', this.clock.now())})`;
    const pattern = likePattern(searchKey(q));
    return this.db.rows(sql`
      select u.id, u.name, u."photoUrl" from users u
       where u."PlatformId" = ${platformId} and u.status = 'active' and u."deletedAt" is null
         and (u."nameKey" like ${`${pattern}%`} or u."nameKey" like ${`% ${pattern}%`}) and ${among}
       order by u."nameKey", u.id limit ${limit}`);
  }

  async admins(platformId: number, { page, limit }: ListAdminsQuery): Promise<PageRows<AdminRow>> {
    const admins = sql`
      from users where "PlatformId" = ${platformId} and role = 'admin' and "deletedAt" is null`;
    return this.db.page(
      sql`
      select id, name, "photoUrl", role, "createdAt", email ${admins}
       order by id limit ${limit} offset ${(page - 1) * limit}`,
      admins,
    );
  }

  /** One page of the users of a platform, and how many there are. */
  async page(platformId: number, query: ListUsersQuery): Promise<PageRows<ListedUserRow>> {
    const now = this.clock.now();
    const listed = sql`u."PlatformId" = ${platformId} and u."deletedAt" is null
      and ${containsWords(raw('u."nameKey"'), query.searchTerm)} and ${filtered(query.filters, now)}`;
    return this.db.page(
      sql`
      select u.id, u.name, u."photoUrl", u.role, u.status, u."createdAt", u.email, ${isBanned('u', now)} as banned
        from users u where ${listed}
       order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`,
      sql`from users u where ${listed}`,
    );
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

const ORDERS = { id: 'u.id', name: 'u."nameKey"', createdAt: 'u."createdAt"' };

function filtered(filters: ListUsersQuery['filters'], now: Date): Sql {
  const { role, status, GroupId, AccessTagId, banned } = filters ?? {};
  const user = { userId: sql`u.id` };
  return sql`${equals('u.role', role)} and ${equals('u.status', status)}
    and ${banned === undefined ? sql`true` : sql`${isBanned('u', now)} = ${banned}`}
    and ${GroupId === undefined ? sql`true` : sql`${GroupId} = any(${groupIdsOf(user, now)})`}
    and ${AccessTagId === undefined ? sql`true` : sql`${AccessTagId} = any(${accessTagIdsOf(user, now)})`}`;
}
