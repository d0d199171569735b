import { Injectable } from '@nestjs/common';
import { Database, raw, type Sql, sql } from '#libs/database';

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
    const next = (table: string, begin: string, end: string): Sql => sql`
      select min(${raw(`"${begin}"`)}) as at from ${raw(table)}
       where "PlatformId" = ${platformId} and ${raw(`"${begin}"`)} > ${now}
      union all
      select min(${raw(`"${end}"`)}) + interval '1 millisecond' from ${raw(table)}
       where "PlatformId" = ${platformId} and ${raw(`"${end}"`)} >= ${now}`;
    const row = await this.db.row<{ at: Date | null }>(sql`
      select min(at) as at from (
        ${next('contents', 'publishedDate', 'expireDate')}
        union all ${next('collections', 'publishedDate', 'expireDate')}
        union all ${next('ads', 'startDate', 'endDate')}) changes`);
    return row?.at ?? null;
  }
}
