import { Injectable } from '@nestjs/common';
import { Database, ids, PlatformRepository, sql } from '#libs/database';
import { Keyword } from './keyword.entity';

export type KeywordRow = Pick<
  Keyword,
  'id' | 'title' | 'slug' | 'PlatformId' | 'description' | 'contentCount'
>;

@Injectable()
export class KeywordsRepository extends PlatformRepository<Keyword> {
  constructor(db: Database) {
    super(db, Keyword);
  }

  async findByTitle(platformId: number, titleKey: string): Promise<Keyword | null> {
    return this.db.manager.findOneBy(Keyword, { PlatformId: platformId, titleKey });
  }

  /** The first ones by title; whatever is longer than this is cut. */
  async all(platformId: number, limit: number): Promise<KeywordRow[]> {
    return this.db.rows(sql`
      select id, title, slug, "PlatformId", description, "contentCount" from keywords
       where "PlatformId" = ${platformId} order by "titleKey" collate "C", id limit ${limit}`);
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

  async recount(keywordIds: number[]): Promise<void> {
    if (keywordIds.length === 0) return;
    // By a statement of its own and in one order: what others saved meanwhile is counted, and none waits in a ring.
    await this.db.execute(
      sql`select 1 from keywords where id = any(${ids(keywordIds)}) order by id for no key update`,
    );
    await this.db.execute(sql`
      update keywords k set "contentCount" =
        (select count(*) from content_keywords ck join contents c on c.id = ck."ContentId"
          where ck."KeywordId" = k.id and c."deletedAt" is null)
       where k.id = any(${ids(keywordIds)})`);
  }
}
