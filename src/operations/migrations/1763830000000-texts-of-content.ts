import type { MigrationInterface, QueryRunner } from 'typeorm';
import { escapeHtml, plainText } from '#libs/markup';
import { teaser } from '../../content/teaser';

const BATCH = 100;

/**
 * What reads show of a description besides itself, the text without markup and the teaser, is stored with it; and
 * what an item takes in an answer, so that a list knows its size before it reads the texts.
 */
export class TextsOfContent1763830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    // A batch at a time: the texts of all items would not fit into memory.
    for (let last = 0, more = true; more;) {
      const rows: { id: number; description: string }[] = await runner.query(
        `select id, description from contents where id > $1 and description <> '' order by id limit ${BATCH}`,
        [last],
      );
      const texts = rows.map(({ description }) => plainText(description));
      await runner.query(FILL, [
        rows.map(({ id }) => id),
        texts,
        texts.map((text) => escapeHtml(teaser(text))),
      ]);
      last = rows.at(-1)?.id ?? last;
      more = rows.length === BATCH;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table contents drop bytes, drop teaser, drop "plainText"`);
  }
}

/** With what JSON puts before quotes and line ends. */
const UP = `
alter table contents
  add "plainText" text not null default '',
  add teaser text not null default '',
  add bytes integer generated always as (
    octet_length(title) + octet_length(slug)
    + octet_length(description) + length(description) - length(translate(description, E'"\\\\\\n\\r\\t', ''))
    + coalesce(octet_length("featuredImage"), 0) + coalesce(octet_length(video), 0)
    + coalesce(octet_length("contentURI"), 0) + coalesce(octet_length(options::text), 0)) stored;
`;

const FILL = `
update contents c set "plainText" = made.text, teaser = made.teaser
  from unnest($1::int[], $2::text[], $3::text[]) as made (id, text, teaser) where c.id = made.id`;
