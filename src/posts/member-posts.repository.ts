import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { Caller } from '../kernel/callers/caller';

const REPEATED_WITHIN_SECONDS = 60;

@Injectable()
export class MemberPostsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** One author posts one thing after the other, until the transaction ends. */
  async lockAuthor({ userId }: Caller): Promise<void> {
    await this.db.execute(sql`select pg_advisory_xact_lock(hashtext('posts'), ${userId}::int)`);
  }

  /** The same text by the same author a moment ago: a button pressed twice. */
  async repeated({ userId, platformId }: Caller, message: string): Promise<number | null> {
    const since = new Date(this.clock.now().getTime() - REPEATED_WITHIN_SECONDS * 1000);
    const row = await this.db.row<{ id: number }>(sql`
      select id from contents
       where "PlatformId" = ${platformId} and "createdAt" > ${since} and "UserId" = ${userId}
         and type = 'post' and description = ${message} and "deletedAt" is null
       order by id desc limit 1`);
    return row?.id ?? null;
  }
}
