import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the ticket in the address of a frame, which works once, from the session that it is exchanged for. */
export class EmbedTickets1763834000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table sessions add ticket boolean not null default false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table sessions drop ticket`);
  }
}
