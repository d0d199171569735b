import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What members find under a keyword goes by dates, moderation and gates, and is counted when it is read. */
export class FoundContents1795330000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger keywords_stamp on keywords;
      alter table keywords drop "contentCount";
      create constraint trigger keywords_stamp after insert or delete or update of title, slug, description
        on keywords deferrable initially deferred for each row execute function stamp_platform();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger keywords_stamp on keywords;
      alter table keywords add "contentCount" integer not null default 0;
      update keywords k set "contentCount" =
        (select count(*) from content_keywords ck join contents c on c.id = ck."ContentId"
          where ck."KeywordId" = k.id and c."deletedAt" is null);
      create constraint trigger keywords_stamp
        after insert or delete or update of title, slug, description, "contentCount"
        on keywords deferrable initially deferred for each row execute function stamp_platform();
    `);
  }
}
