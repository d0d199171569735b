import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers to writes that may be repeated, for a day. */
export class KeptAnswers1763833000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table kept_answers');
  }
}

// The id stands for user, route and key, so that no row tells whose it is.
const UP = `
create table kept_answers (
  id bytea primary key,
  print bytea not null,
  answer text not null,
  "keptUntil" timestamptz(3) not null
);
create index "kept_answers_keptUntil" on kept_answers ("keptUntil");
`;
