import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  ids,
  type LinkTable,
  orderBy,
  type PageRows,
  type PlatformRecord,
  PlatformRepository,
  raw,
  type Sql,
  sql,
} from '#libs/database';
import { offsetOf } from '#libs/http';
import { AccessTag } from './access-tag.entity';
import type { HolderRow } from './access-tag.presenter';
import type { ListHoldersQuery } from './dto/list-holders.query';

const HOLDINGS: LinkTable = { table: 'user_access_tags', own: 'UserId', linked: 'AccessTagId' };

const HOLDER_ORDERS = { id: 'u.id', name: 'u."nameKey" collate "C"', createdAt: 't."createdAt"' };

@Injectable()
export class AccessTagsRepository extends PlatformRepository<AccessTag> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, AccessTag);
  }

  async all(platformId: number): Promise<AccessTag[]> {
    return this.db.rows(sql`select * from access_tags where "PlatformId" = ${platformId} order by id`);
  }

  /** Adds it, or finds the one that is there: of many at once all answer the same row. */
  async addOrFind({
    PlatformId,
    AuthorId,
    title,
  }: Pick<AccessTag, 'PlatformId' | 'AuthorId' | 'title'>): Promise<number> {
    const row = await this.db.row<{ id: number }>(sql`
      insert into access_tags ("PlatformId", "AuthorId", title) values (${PlatformId}, ${AuthorId}, ${title})
      on conflict (title, "PlatformId", "AuthorId") do update set title = excluded.title
      returning id`);
    return (row as { id: number }).id;
  }

  async remove({ id }: AccessTag): Promise<void> {
    await this.db.execute(sql`delete from access_tags where id = ${id}`);
  }

  /** Which of the ids are no users of the platform, or deleted ones. */
  unknownUserIds(platformId: number, userIds: number[]): Promise<number[]> {
    return this.unknownIn('users', platformId, userIds);
  }

  /** Those who hold it at this moment. */
  async holders({ id }: AccessTag, query: ListHoldersQuery): Promise<PageRows<HolderRow>> {
    const holders = this.holdersOf(id, query.searchTerm);
    return this.db.page(
      sql`
      select u.id, u.name, u."photoUrl", u.role, t."expiresAt", t."createdAt" ${holders}
       order by ${orderBy(query.sort, HOLDER_ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`,
      holders,
    );
  }

  /**
   * @param expiresAt undefined leaves the end of those who hold it as it is
   * @returns for whom that changed anything
   */
  async grant(
    { PlatformId, id }: AccessTag,
    userIds: number[],
    expiresAt: Date | null | undefined,
  ): Promise<number[]> {
    const now = this.clock.now();
    const isNews =
      expiresAt === undefined
        ? sql`held."expiresAt" <= ${now}`
        : sql`held."expiresAt" is distinct from excluded."expiresAt"`;
    const rows = await this.db.rows<{ id: number }>(sql`
      insert into user_access_tags as held ("PlatformId", "UserId", "AccessTagId", "expiresAt", "createdAt")
      select ${PlatformId}, wanted.id, ${id}, ${expiresAt ?? null}::timestamptz, ${now}
        from (select distinct unnest(${ids(userIds)}) as id) wanted
      on conflict ("UserId", "AccessTagId") do update set "expiresAt" = excluded."expiresAt" where ${isNews}
      returning "UserId" as id`);
    return rows.map((row) => row.id);
  }

  /**
   * The user holds these and no others. Ends that are still to come stay; what has expired is held anew.
   * @returns whether that changed anything
   */
  async replaceAllOf(user: PlatformRecord, tagIds: number[]): Promise<boolean> {
    await this.db.execute(sql`
      delete from user_access_tags where "UserId" = ${user.id} and "expiresAt" <= ${this.clock.now()}`);
    const before = await this.db.rows<{ id: number }>(sql`
      select "AccessTagId" as id from user_access_tags where "UserId" = ${user.id}`);
    await this.replaceLinked(HOLDINGS, user, tagIds);
    const wanted = new Set(tagIds);
    return before.length !== wanted.size || before.some(({ id }) => !wanted.has(id));
  }

  async releaseAllOf(userId: number): Promise<void> {
    await this.db.execute(sql`delete from user_access_tags where "UserId" = ${userId}`);
  }

  /** Nobody else grants these users anything until the transaction ends. */
  async lockHolders(platformId: number, userIds: number[]): Promise<void> {
    await this.db.execute(sql`
      select 1 from users where "PlatformId" = ${platformId} and id = any(${ids(userIds)})
       order by id for no key update`);
  }

  /** Which of the users hold more than so many at this moment. */
  async holdersOfMore(than: number, userIds: number[]): Promise<number[]> {
    const rows = await this.db.rows<{ id: number }>(sql`
      select t."UserId" as id from user_access_tags t
       where t."UserId" = any(${ids(userIds)}) and ${this.isHeld()}
       group by 1 having count(*) > ${than} order by 1`);
    return rows.map(({ id }) => id);
  }

  /** @returns who held it */
  async revoke({ id }: AccessTag, userIds: number[]): Promise<number[]> {
    const rows = await this.db.rows<{ id: number }>(sql`
      delete from user_access_tags where "AccessTagId" = ${id} and "UserId" = any(${ids(userIds)})
      returning "UserId" as id`);
    return rows.map((row) => row.id);
  }

  /** Whether the grant `t` has not ended. */
  private isHeld(): Sql {
    return sql`(t."expiresAt" is null or t."expiresAt" > ${this.clock.now()})`;
  }

  private holdersOf(id: number, searchTerm: string | undefined): Sql {
    return sql`
      from user_access_tags t join users u on u.id = t."UserId"
     where t."AccessTagId" = ${id} and ${this.isHeld()}
       and ${containsWords(raw('u."nameKey"'), searchTerm)}`;
  }
}
