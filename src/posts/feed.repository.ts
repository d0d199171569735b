import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, type Fitted, type Sized, sizedOf, sql } from '#libs/database';
import { contentAccess } from '../kernel/access/content.access';
import type { ContentRow } from '../content/content.presenter';
import { contentColumns, contentSize, firstFittingContents } from '../content/content.sql';
import type { Caller } from '../kernel/callers/caller';
import type { ReadFeedQuery } from './dto/list-posts.query';

/** An item of the feed, and the instant by which it stands there. */
export type FeedRow = ContentRow & { shownAt: Date };

@Injectable()
export class FeedRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * What the caller may read or see a teaser of, newest first; unlisted items are in nobody's feed. Whether there is
   * `more` after them is seen by one item beyond the limit. It walks along the index `contents_recent` and stops
   * there.
   */
  async after(
    caller: Caller,
    { cursor, limit }: ReadFeedQuery,
    most: number,
  ): Promise<Sized<FeedRow> & { more: boolean }> {
    const look = { viewer: caller, now: this.clock.now(), unlisted: false };
    const access = contentAccess('c', look);
    const shownAt = sql`coalesce(c."publishedDate", c."createdAt")`;
    const older = cursor
      ? sql`(${shownAt}, c.id) < (${cursor.at}::timestamptz, ${cursor.id}::int)`
      : sql`true`;
    const items = sql`
      select c.id, ${contentSize(access)} as size from contents c
       where c."PlatformId" = ${caller.platformId} and c.visibility <> 'hidden' and ${access.visible} and ${older}
       order by ${shownAt} desc, c.id desc limit ${limit + 1}`;
    const columns = sql`${contentColumns(look, access)}, ${shownAt} as "shownAt"`;
    const found = sizedOf(await this.db.rows<FeedRow & Fitted>(firstFittingContents(items, most, columns)));
    const more = found.rows.length > limit || found.used < found.wanted;
    return { ...found, rows: found.rows.slice(0, limit), more };
  }
}
