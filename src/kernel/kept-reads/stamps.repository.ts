import { Injectable } from '@nestjs/common';
import { Database, join, raw, type Sql, sql } from '#libs/database';
import { seenByAnyone } from './seen-by-anyone';

/** What triggers keep of each platform: the transaction that last changed something anonymous readers see. */
@Injectable()
export class StampsRepository {
  constructor(private readonly db: Database) {}

  /** Another one than before means that something changed; null when there is no such platform. */
  async current(platformId: number): Promise<string | null> {
    const [row] = await this.db.preparedRows<{ stamp: string }>(
      sql`select stamp from platform_stamps where "PlatformId" = ${platformId}`,
    );
    return row?.stamp ?? null;
  }

  /** When something of the platform next appears or disappears by itself, after `now`. */
  async nextChange(platformId: number, now: Date): Promise<Date | null> {
    const changes: Sql[] = [];
    for (const [entity, { from, until }] of seenByAnyone()) {
      const rows = sql`from ${raw(this.tableOf(entity))} where "PlatformId" = ${platformId}`;
      const [begin, end] = [from, until].map((column) => raw(`"${column}"`));
      if (from) changes.push(sql`select min(${begin}) as at ${rows} and ${begin} > ${now}`);
      // It is shown at the end itself.
      if (until)
        changes.push(sql`select min(${end}) + interval '1 millisecond' as at ${rows} and ${end} >= ${now}`);
    }
    const row = await this.db.row<{ at: Date | null }>(
      sql`select min(at) as at from (${join(changes, ' union all ')}) changes`,
    );
    return row?.at ?? null;
  }

  /** The tables that are declared as seen by anyone. */
  seenTables(): string[] {
    return [...seenByAnyone()].flatMap(([entity, { links = [] }]) => [this.tableOf(entity), ...links]);
  }

  /** The table of each trigger that keeps the stamps. */
  async triggers(): Promise<string[]> {
    const rows = await this.db.rows<{ table: string }>(sql`
      select c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
        join pg_proc p on p.oid = t.tgfoid
       where p.proname = 'stamp_platform' and not t.tgisinternal and c.relnamespace = 'public'::regnamespace`);
    return rows.map(({ table }) => table);
  }

  private tableOf(entity: new (...parameters: never[]) => object): string {
    return this.db.dataSource.getMetadata(entity).tableName;
  }
}
