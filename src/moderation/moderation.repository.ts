import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { Caller } from '../kernel/callers/caller';
import type { Facts } from './spam';

/** A comment whose text changes: it is no comment of its author's besides itself. */
export interface Edited {
  id: number;
  createdAt: Date;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** So that judging costs the same for those who write a lot. */
const MOST_COMMENTS = 200;
const CLEARED_AT_ONCE = 10;

@Injectable()
export class ModerationRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * What is known about the author and the text, which is remembered for a day as one that they wrote. Of many
   * at once each counts those before it.
   * Comments held for their author's pace or record say nothing about the record, or it would never mend.
   * @param key of the text, null when it may be repeated
   */
  async facts(author: Caller, key: string | null, edited?: Edited): Promise<Facts> {
    const { userId, platformId } = author;
    const now = this.clock.now();
    const before = (milliseconds: number, from = now): Date => new Date(from.getTime() - milliseconds);
    const writtenAt = edited?.createdAt ?? now;
    await this.oneAfterTheOther(author, key);
    const row = await this.db.row<Facts>(sql`
      with cleared as (
        delete from written_texts where ("PlatformId", "textKey", "UserId") in (
          select "PlatformId", "textKey", "UserId" from written_texts
           where "writtenAt" <= ${before(DAY)} and not ("textKey" = ${key ?? ''} and "UserId" = ${userId})
           order by "writtenAt" limit ${CLEARED_AT_ONCE} for update skip locked)
      ), remembered as (
        insert into written_texts as w ("PlatformId", "textKey", "UserId", "writtenAt")
        select ${platformId}::int, ${key}::text, ${userId}::int, ${now}::timestamptz where ${key}::text is not null
        on conflict ("PlatformId", "textKey", "UserId") do update set "writtenAt" = excluded."writtenAt"
      )
      select u."createdAt" as "memberSince",
             (select count(*) from written_texts t
               where t."PlatformId" = ${platformId} and t."textKey" = ${key}::text
                 and t."UserId" <> ${userId} and t."writtenAt" > ${before(DAY)})::int as "othersWithText",
             (select count(*) from comments c
               where c."UserId" = ${userId} and c.id is distinct from ${edited?.id ?? null}::int
                 and c."createdAt" > ${before(MINUTE, writtenAt)} and c."createdAt" <= ${writtenAt})::int
               as "commentsOfMinute",
             week.written as "commentsOfWeek", week.removed as "removedOfWeek"
        from users u cross join lateral (
          select count(*)::int as written, (count(*) filter (where removed))::int as removed from (
            select own."byOthers" or (c."moderationCategory" is not null and not own.paused) as removed
              from comments c cross join lateral (
                select coalesce(c."deletedById" <> c."UserId", false) as "byOthers",
                       coalesce(c."moderationRule" in ('pace', 'record'), false) as paused) own
             where c."UserId" = u.id and c.id is distinct from ${edited?.id ?? null}::int
               and c."createdAt" > ${before(7 * DAY)} and (own."byOthers" or not own.paused)
             order by c."createdAt" desc limit ${MOST_COMMENTS}) latest) week
       where u.id = ${userId}`);
    if (!row) throw new Error('The author is gone.');
    return row;
  }

  /** Until the transaction ends, nobody else judges what the author writes, or the same text. */
  private async oneAfterTheOther({ userId, platformId }: Caller, key: string | null): Promise<void> {
    const text =
      key === null
        ? sql``
        : sql`, pg_advisory_xact_lock(hashtext('written_texts'), hashtext(${`${platformId}:${key}`}))`;
    await this.db.execute(sql`select pg_advisory_xact_lock(hashtext('moderation'), ${userId}::int)${text}`);
  }
}
