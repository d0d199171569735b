import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { ReadableContent } from '../content.repository';
import type { ViewContentDto } from './dto/view-content.dto';

const COUNTED_AGAIN_AFTER_MS = 30 * 60_000;
const FORGOTTEN_AT_ONCE = 20;

@Injectable()
export class ContentViewsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the view unless one of the viewer's was counted within the last half hour. It is one statement, so that
   * of many at once one passes the viewer's row, and all counters change or none. It forgets some visitors of
   * longer ago.
   */
  async count(
    { PlatformId, id }: ReadableContent,
    viewer: string,
    { seconds = null, position = null }: { [Field in keyof ViewContentDto]?: number | null },
  ): Promise<void> {
    const now = this.clock.now();
    const longAgo = new Date(now.getTime() - COUNTED_AGAIN_AFTER_MS);
    await this.db.execute(sql`
      with viewed as (
        insert into content_viewers as v ("PlatformId", "ContentId", viewer, "viewedAt", seconds, position)
        values (${PlatformId}, ${id}, ${viewer}, ${now}, ${seconds}, ${position})
        on conflict ("ContentId", viewer) do update
          set "viewedAt" = excluded."viewedAt", seconds = excluded.seconds, position = excluded.position
          where v."viewedAt" <= ${longAgo}
        returning "ContentId"),
      forgotten as (
        delete from content_viewers where ("ContentId", viewer) in (
          select "ContentId", viewer from content_viewers
           where viewer like 'visitor:%' and "viewedAt" <= ${longAgo}
             and not ("ContentId" = ${id} and viewer = ${viewer})
           order by "viewedAt" limit ${FORGOTTEN_AT_ONCE} for update skip locked)),
      counted as (
        update contents c set "viewCount" = c."viewCount" + 1 from viewed
         where c.id = viewed."ContentId" returning c.id, c."PlatformId")
      insert into content_view_days as d ("PlatformId", "ContentId", day, views)
      select "PlatformId", id, ${now.toISOString().slice(0, 10)}::date, 1 from counted
      on conflict ("ContentId", day) do update set views = d.views + 1`);
  }
}
