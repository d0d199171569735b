import type { EntityTarget, FindOptionsWhere, QueryDeepPartialEntity } from 'typeorm';
import sql, { raw, type Sql } from 'sql-template-tag';
import { NotFoundError } from '#libs/errors';
import { slugify } from '#libs/text';
import type { Database } from './database';
import { reordered } from './reordered';

export interface PlatformRecord {
  id: number;
  PlatformId: number;
}

/** A table that links a platform's records with others, by two columns of ids. */
export interface LinkTable {
  readonly table: string;
  /** Of the record whose links they are. */
  readonly own: string;
  readonly linked: string;
}

/** Room for -2, -3… behind a slug that is taken. */
const NUMBER_LENGTH = 6;

/** The biggest that the column holds. */
const LAST_POSITION = 2_147_483_647;

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

  /** Which of the ids are no records of the platform: one query for all of them. Deleted ones are none. */
  unknownIds(platformId: number, wanted: readonly number[]): Promise<number[]> {
    return this.unknownIn(this.entity, platformId, wanted);
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
    const { generatedMaps, identifiers } = await this.db.transaction(() =>
      this.db.manager.insert(this.entity, values),
    );
    return this.db.manager.create(this.entity, {
      ...values,
      ...identifiers[0],
      ...generatedMaps[0],
    } as never);
  }

  async update(platformId: number, id: number, changes: QueryDeepPartialEntity<Entity>): Promise<void> {
    await this.db.transaction(() => this.db.manager.update(this.entity, this.key(platformId, id), changes));
  }

  /**
   * After the last of the platform's records, for those that have a `position`; beside it when it stands at the
   * very end. It holds the lock of their order until the transaction ends, so that of many at once each gets its own.
   */
  async nextPosition(platformId: number): Promise<number> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.lockOrder(platformId);
    const row = await this.db.row<{ next: number }>(sql`
      select least(coalesce(max(position), 0)::bigint + 1, ${LAST_POSITION})::int as next
        from ${raw(tableName)} where "PlatformId" = ${platformId}`);
    return row?.next ?? 1;
  }

  /**
   * A slug made from `text`, numbered -2, -3… when the platform uses it already. Of many at once each gets its own.
   * @param instead for a text that cannot be spelled in one
   * @param length what it has at most
   */
  async freeSlug(platformId: number, text: string, instead: string, length = 80): Promise<string> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    const wanted = slugify(text, length - NUMBER_LENGTH) || instead;
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
   * @returns the slug, for those who store it
   */
  async holdSlug<Slug extends string | undefined>(platformId: number, slug: Slug): Promise<Slug> {
    if (slug === undefined) return slug;
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    const stem = slug.replace(/(-\d+)+$/, '');
    await this.db.execute(
      sql`select pg_advisory_xact_lock(hashtext(${tableName}), hashtext(${`${platformId}:${stem}`}))`,
    );
    return slug;
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

  /** @param entity another domain's by the name of its table */
  protected async unknownIn(
    entity: EntityTarget<PlatformRecord>,
    platformId: number,
    wanted: readonly number[],
  ): Promise<number[]> {
    if (wanted.length === 0) return [];
    const { tableName, columns } = this.db.dataSource.getMetadata(entity);
    const present = columns.some(({ propertyName }) => propertyName === 'deletedAt')
      ? sql`"deletedAt" is null`
      : sql`true`;
    const known = await this.db.rows<{ id: number }>(sql`
      select id from ${raw(tableName)}
       where "PlatformId" = ${platformId} and id = any(${ids(wanted)}) and ${present}`);
    const found = new Set(known.map(({ id }) => id));
    return [...new Set(wanted)].filter((id) => !found.has(id));
  }

  protected async replaceLinked(
    { table, own, linked }: LinkTable,
    { PlatformId, id }: PlatformRecord,
    wanted: readonly number[],
  ): Promise<void> {
    const [owner, other] = [raw(`"${own}"`), raw(`"${linked}"`)];
    await this.db.execute(
      sql`delete from ${raw(table)} where ${owner} = ${id} and ${other} <> all(${ids(wanted)})`,
    );
    await this.db.execute(sql`
      insert into ${raw(table)} ("PlatformId", ${owner}, ${other})
      select ${PlatformId}, ${id}, unnest(${ids(wanted)}) on conflict do nothing`);
  }

  private async lockOrder(platformId: number): Promise<void> {
    const { tableName } = this.db.dataSource.getMetadata(this.entity);
    await this.db.execute(sql`select pg_advisory_xact_lock(hashtext(${tableName}), ${platformId}::int)`);
  }

  private key(PlatformId: number, id: number): FindOptionsWhere<Entity> {
    return { PlatformId, id } as FindOptionsWhere<Entity>;
  }
}
