import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withoutHurry } from './connections';

// Any constant would do; it spells "mig".
const LOCK = 0x6d6967;

/**
 * Runs what is pending, in one transaction. Of many processes that start together one migrates and the
 * others wait for it: the lock belongs to the transaction, because embedded connections share a session.
 */
export async function migrateUp(dataSource: DataSource): Promise<string[]> {
  return locked(dataSource, async (executor) => {
    const done = await executor.executePendingMigrations();
    return done.map(({ name }) => name);
  });
}

/** Undoes the newest migration, or all of them. */
export async function migrateDown(dataSource: DataSource, all = false): Promise<string[]> {
  return locked(dataSource, async (executor) => {
    const executed = await executor.getExecutedMigrations();
    const undone = all ? executed : executed.slice(0, 1);
    for (const _ of undone) await executor.undoLastMigration();
    return undone.map(({ name }) => name);
  });
}

export async function migrationStatus(
  dataSource: DataSource,
): Promise<{ done: string[]; pending: string[] }> {
  return locked(dataSource, async (executor) => {
    const executed = await executor.getExecutedMigrations();
    const pending = await executor.getPendingMigrations();
    return { done: executed.map(({ name }) => name), pending: pending.map(({ name }) => name) };
  });
}

async function locked<Result>(
  dataSource: DataSource,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  const hurry = withoutHurry((await runner.connect()) as PoolClient);
  try {
    await runner.startTransaction();
    await runner.query('set local statement_timeout = 0');
    await runner.query('set local lock_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    const result = await work(executor, runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    hurry();
    await runner.release();
  }
}
