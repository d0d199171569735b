import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, PlatformRepository, type Sql, sql } from '#libs/database';
import { contentAccess } from '../kernel/access/content.access';
import { anyMember } from '../kernel/callers/caller';
import { Keyword } from './keyword.entity';

export type KeywordRow = Pick<Keyword, 'id' | 'title' | 'slug' | 'PlatformId' | 'description'> & {
  contentCount: number;
};

@Injectable()
export class KeywordsRepository extends PlatformRepository<Keyword> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Keyword);
  }

  async findByTitle(platformId: number, titleKey: string): Promise<Keyword | null> {
    return this.db.manager.findOneBy(Keyword, { PlatformId: platformId, titleKey });
  }

  /** The first ones by title; whatever is longer than this is cut. */
  async all(platformId: number, limit: number): Promise<KeywordRow[]> {
    return this.db.rows(sql`
      select ${COLUMNS}, coalesce(found."contentCount", 0) as "contentCount"
        from keywords k left join (
          select ck."KeywordId", count(*)::int as "contentCount"
            from content_keywords ck join contents c on c.id = ck."ContentId"
           where ck."PlatformId" = ${platformId} and ${this.isFound(platformId)}
           group by 1) found on found."KeywordId" = k.id
       where k."PlatformId" = ${platformId} order by k."titleKey" collate "C", k.id limit ${limit}`);
  }

  /** The keyword with what is found under it; null when the platform has no such keyword. */
  async row(platformId: number, by: { id: number } | { titleKey: string }): Promise<KeywordRow | null> {
    const wanted = 'id' in by ? sql`k.id = ${by.id}` : sql`k."titleKey" = ${by.titleKey}`;
    const row = await this.db.row<KeywordRow>(sql`
      select ${COLUMNS}, (
          select count(*)::int from content_keywords ck join contents c on c.id = ck."ContentId"
           where ck."KeywordId" = k.id and ${this.isFound(platformId)}) as "contentCount"
        from keywords k where k."PlatformId" = ${platformId} and ${wanted}`);
    return row ?? null;
  }

  async remove(id: number): Promise<void> {
    await this.db.execute(sql`delete from keywords where id = ${id}`);
  }

  /** Adds it, or answers null when the platform has an equal one already. */
  async add(
    keyword: Pick<Keyword, 'PlatformId' | 'title' | 'titleKey' | 'slug' | 'description'>,
  ): Promise<number | null> {
    const { PlatformId, title, titleKey, slug, description } = keyword;
    const row = await this.db.row<{ id: number }>(sql`
      insert into keywords ("PlatformId", title, "titleKey", slug, description)
      values (${PlatformId}, ${title}, ${titleKey}, ${slug}, ${description})
      on conflict ("PlatformId", "titleKey") do nothing returning id`);
    return row?.id ?? null;
  }

  /**
   * Whether every member finds the item `c` in lists. It is asked when the keywords are read: dates, moderation and
   * gates change it without a write to the item or its keywords.
   */
  private isFound(platformId: number): Sql {
    const look = { viewer: anyMember(platformId), now: this.clock.now(), unlisted: false };
    return contentAccess('c', look).visible;
  }
}

const COLUMNS = sql`k.id, k.title, k.slug, k."PlatformId", k.description`;
