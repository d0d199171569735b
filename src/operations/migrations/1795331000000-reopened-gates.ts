import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was for members before its gate was closed, and made private, is for members again when it is saved. */
export class ReopenedGates1795331000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table contents add "visibilityBefore" text check ("visibilityBefore" = 'members');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table contents drop "visibilityBefore";
    `);
  }
}
