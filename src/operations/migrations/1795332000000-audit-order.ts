import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log is listed by time, and searched from one to another. */
export class AuditOrder1795332000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index "audit_log_PlatformId";
      create index "audit_log_at" on audit_log ("PlatformId", at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index "audit_log_at";
      create index "audit_log_PlatformId" on audit_log ("PlatformId", id);
    `);
  }
}
