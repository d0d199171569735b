import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of rates are hashed from here on. What was counted before told addresses and e-mails, and is at an end. */
export class HiddenRates1763832000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('truncate rate_limits');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('truncate rate_limits');
  }
}
