import type { EntityTarget, FindOptionsWhere, QueryDeepPartialEntity } from 'typeorm';
import sql, { raw, type Sql } from 'sql-template-tag';
import { NotFoundError } from '#libs/errors';
import type { Database } from './database';
import { reordered } from './reordered';

export interface PlatformRecord {
  id: number;
  PlatformId: number;
}

/** An array parameter of ids, for `= any(…)` and `unnest(…)`. */
export const ids = (values: readonly number[]): Sql => sql`${values}::int[]`;

/**
 * What every repository of a platform's records can do. There is no way to load one by its id alone: the
 * platform always comes along, and a record of another platform does not exist.
 */
export abstract class PlatformRepository<Entity extends PlatformRecord> {
  constructor(
    protected readonly db: Database,
    private readonly entity: EntityTarget<Entity>,
  ) {}

  async find(platformId: number, id: number): Promise<Entity | null> {
    return this.db.manager.findOneBy(this.entity, this.key(platformId, id));
  }

  /** @throws NotFoundError when the platform has no such record */
  async get(platformId: number, id: number): Promise<Entity> {
    const record = await this.find(platformId, id);
    if (!record) throw new NotFoundError();
    return record;
  }

  /** Which of the ids are no records of the platform: one query for all of them. */
  async unknownIds(platformId: number, wanted: readonly number[]): Promise<number[]> {
    if (wanted.length === 0) return [];
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    const known = await this.db.rows<{ id: number }>(sql`
      select id from ${raw(tableName)} where "PlatformId" = ${platformId} and id = any(${ids(wanted)})`);
    const found = new Set(known.map(({ id }) => id));
    return [...new Set(wanted)].filter((id) => !found.has(id));
  }

  /** As `get`, and locks the row until the transaction ends. */
  async lock(platformId: number, id: number): Promise<Entity> {
    const record = await this.db.manager.findOne(this.entity, {
      where: this.key(platformId, id),
      lock: { mode: 'pessimistic_write' },
    });
    if (!record) throw new NotFoundError();
    return record;
  }

  async insert(values: QueryDeepPartialEntity<Entity>): Promise<Entity> {
    const { generatedMaps, identifiers } = await this.db.manager.insert(this.entity, values);
    return this.db.manager.create(this.entity, {
      ...values,
      ...identifiers[0],
      ...generatedMaps[0],
    } as never);
  }

  async update(platformId: number, id: number, changes: QueryDeepPartialEntity<Entity>): Promise<void> {
    await this.db.manager.update(this.entity, this.key(platformId, id), changes);
  }

  /**
   * After the last of the platform's records, for those that have a `position`. It holds the lock of their order
   * until the transaction ends, so that of many at once each gets its own.
   */
  async nextPosition(platformId: number): Promise<number> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.lockOrder(platformId);
    const row = await this.db.row<{ next: number }>(sql`
      select coalesce(max(position), 0) + 1 as next from ${raw(tableName)} where "PlatformId" = ${platformId}`);
    return row?.next ?? 1;
  }

  /**
   * `wanted`, or `wanted-2`, `wanted-3`… when the platform uses it already. Of many at once each gets its own.
   */
  async freeSlug(platformId: number, wanted: string): Promise<string> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.holdSlug(platformId, wanted);
    const used = await this.db.rows<{ slug: string }>(sql`
      select slug from ${raw(tableName)}
       where "PlatformId" = ${platformId}
         and (slug = ${wanted} or (slug >= ${`${wanted}-`} and slug < ${`${wanted}.`} and slug ~ '-[0-9]+$'))`);
    const taken = new Set(used.map(({ slug }) => slug));
    if (!taken.has(wanted)) return wanted;
    for (let number = 2; ; number++) {
      if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
    }
  }

  /**
   * Nobody else is given this slug, or the same with other numbers, until the transaction ends. For one that a
   * client chose: else it could be taken between the moment `freeSlug` found it free and its use.
   */
  async holdSlug(platformId: number, slug: string): Promise<void> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    const stem = slug.replace(/(-\d+)+$/, '');
    await this.db.execute(
      sql`select pg_advisory_xact_lock(hashtext(${tableName}), hashtext(${`${platformId}:${stem}`}))`,
    );
  }

  /**
   * The listed records stand in this order where the earliest of them stood, the others keep theirs, and all
   * are numbered from 1. Of many at once one order stands whole.
   * @throws NotFoundError when one of them is no record of the platform
   */
  async reorder(platformId: number, listed: readonly number[]): Promise<void> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.lockOrder(platformId);
    const rows = await this.db.rows<{ id: number }>(
      sql`select id from ${raw(tableName)} where "PlatformId" = ${platformId} order by position, id`,
    );
    const current = rows.map(({ id }) => id);
    const known = new Set(current);
    if (!listed.every((id) => known.has(id))) throw new NotFoundError();
    await this.db.execute(sql`
      update ${raw(tableName)} t set position = ordered.position
        from unnest(${ids(reordered(current, listed))}) with ordinality as ordered (id, position)
       where t.id = ordered.id and t."PlatformId" = ${platformId} and t.position <> ordered.position`);
  }

  private async lockOrder(platformId: number): Promise<void> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.db.execute(sql`select pg_advisory_xact_lock(hashtext(${tableName}), ${platformId}::int)`);
  }

  private key(PlatformId: number, id: number): FindOptionsWhere<Entity> {
    return { PlatformId, id } as FindOptionsWhere<Entity>;
  }
}
