import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What collections and groups take in an answer, as for contents, so that it is known before they are read; and of
 * contents with the groups and keywords that come along.
 */
export class SizesOfTexts1763830100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table contents drop bytes, add "linkCount" integer not null default 0;
      update contents c set "linkCount" = (select count(*) from content_groups where "ContentId" = c.id)
        + (select count(*) from content_keywords where "ContentId" = c.id)
       where exists (select 1 from content_groups where "ContentId" = c.id)
          or exists (select 1 from content_keywords where "ContentId" = c.id);
      alter table contents add bytes integer generated always as (${CONTENT} + 110 * "linkCount") stored;
      alter table collections add bytes integer generated always as (
        octet_length(name) + octet_length(slug) + coalesce(octet_length("collectionBGImage"), 0)
        + ${jsonBytes('description')}) stored;
      alter table groups add bytes integer generated always as (
        octet_length(name) + octet_length(slug) + coalesce(octet_length("photoUrl"), 0)
        + coalesce(octet_length("bannerImageUrl"), 0) + ${jsonBytes('description')}) stored`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table groups drop bytes;
      alter table collections drop bytes;
      alter table contents drop bytes, drop "linkCount";
      alter table contents add bytes integer generated always as (${CONTENT}) stored`);
  }
}

/** With what JSON puts before quotes and line ends. */
const jsonBytes = (text: string): string =>
  `coalesce(octet_length(${text}) + length(${text}) - length(translate(${text}, E'"\\\\\\n\\r\\t', '')), 0)`;

const CONTENT = `octet_length(title) + octet_length(slug)
  + octet_length(description) + length(description) - length(translate(description, E'"\\\\\\n\\r\\t', ''))
  + coalesce(octet_length("featuredImage"), 0) + coalesce(octet_length(video), 0)
  + coalesce(octet_length("contentURI"), 0) + coalesce(octet_length(options::text), 0)`;
