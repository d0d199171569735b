import { Injectable } from '@nestjs/common';
import { Database, ids, PlatformRepository, sql } from '#libs/database';
import { Keyword } from './keyword.entity';

@Injectable()
export class KeywordsRepository extends PlatformRepository<Keyword> {
  constructor(db: Database) {
    super(db, Keyword);
  }

  async findByTitle(platformId: number, titleKey: string): Promise<Keyword | null> {
    return this.db.manager.findOneBy(Keyword, { PlatformId: platformId, titleKey });
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
    await this.db.execute(sql`
      update keywords k set "contentCount" =
        (select count(*) from content_keywords ck join contents c on c.id = ck."ContentId"
          where ck."KeywordId" = k.id and c."deletedAt" is null)
       where k.id = any(${ids(keywordIds)})`);
  }
}
