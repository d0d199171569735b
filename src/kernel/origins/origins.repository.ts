import { Injectable } from '@nestjs/common';
import { Database, sql } from '#libs/database';

@Injectable()
export class OriginsRepository {
  constructor(private readonly db: Database) {}

  /** The homepages and further origins of all platforms, or of one. */
  async of(id: number | null): Promise<{ homepageUrl: string | null; allowedOrigins: string[] | null }[]> {
    return this.db.rows(sql`
      select case when "homepageKey" is not null then "homepageUrl" end as "homepageUrl",
             settings -> 'allowedOrigins' as "allowedOrigins"
        from platforms where ${id}::int is null or id = ${id}`);
  }
}
