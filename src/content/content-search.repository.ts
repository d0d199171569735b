import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, join, raw, type Sql, sql } from '#libs/database';
import { likePattern, searchKey } from '#libs/text';
import { type Viewer, viewerOn } from '../sessions/caller';
import { contentAccess } from './content.access';
import type { FoundContentRow } from './content.presenter';

const SHORT_WORD = 3;

@Injectable()
export class ContentSearchRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * What the viewer may read or see a teaser of, best first: found in the title, by the author, in the text,
   * then the newest. A teaser is found only by what it shows.
   * @param platformId null searches the public items of all platforms
   */
  async search(
    viewer: Viewer,
    platformId: number | null,
    q: string,
    limit: number,
  ): Promise<FoundContentRow[]> {
    const words = searchKey(q).split(' ').filter(Boolean);
    if (words.length === 0) return [];
    const on = platformId === null ? null : viewerOn(platformId, viewer);
    const { visible, locked } = contentAccess('c', { viewer: on, now: this.clock.now(), unlisted: false });
    const scope = platformId === null ? sql`c.visibility = 'public'` : sql`c."PlatformId" = ${platformId}`;
    const shown = sql`case when ${locked} then c."teaserKey" else c."textKey" end`;
    return this.db.rows(sql`
      with hits as (
        select c.id, 1 as rank from contents c
         where c."deletedAt" is null and ${matches(raw('c."titleKey"'), words)}
        union all
        select c.id, 2 from users u join contents c on c."UserId" = u.id
         where ${matches(raw('u."nameKey"'), words)}
        union all
        select c.id, 3 from contents c
         where c."deletedAt" is null and ${matches(raw('c."textKey"'), words)} and ${matches(shown, words)}),
      best as (select id, min(rank) as rank from hits group by id)
      select c.id, c.title, c.description, c.type, c.visibility, c."createdAt", c."updatedAt",
             u.id as "authorId", u.name as "authorName", ${locked} as locked
        from best join contents c on c.id = best.id join users u on u.id = c."UserId"
       where ${scope} and ${visible}
       order by best.rank, coalesce(c."publishedDate", c."createdAt") desc, c.id desc
       limit ${limit}`);
  }
}

/** Every word is in the text. When all are short, which no index finds within words, only where words begin. */
const matches = (column: Sql, words: string[]): Sql => {
  const atBeginnings = words.every((word) => [...word].length < SHORT_WORD);
  return join(
    words.map((word) => {
      const pattern = likePattern(word);
      return atBeginnings
        ? sql`(${column} like ${`${pattern}%`} or ${column} like ${`% ${pattern}%`})`
        : sql`${column} like ${`%${pattern}%`}`;
    }),
    ' and ',
  );
};
