/**
 * PostgreSQL, for the repositories.
 *
 * `openDatabase` starts or joins the embedded server, waits for a real one, checks it and migrates it.
 * `Database` runs SQL (composed with the `sql` tag) and transactions; whatever runs inside
 * `transaction(…)` uses it without being handed it, and `afterCommit` holds side effects until it is
 * durable. `PlatformRepository` is the base of every repository: it loads by platform and id only.
 * `databaseError` turns a driver's error into a refusal.
 */
export { default as sql, join, raw, empty, type Sql } from 'sql-template-tag';
export { InstantColumn } from './columns';
export { Database, type PageRows, type SizedRows } from './database';
export { containsWords, equals, orderBy, pageSizeClass } from './list-clauses';
export { type Fitted, firstFitting, fitting, placed, type Sized, sizedOf } from './fitting';
export { DatabaseModule } from './database.module';
export { declaredEntities } from './declared-entities';
export { reaching } from './connections';
export { databaseError, isSerializationFailure } from './database-errors';
export { ids, type LinkTable, type PlatformRecord, PlatformRepository } from './platform.repository';
export { DatabaseSetupError, openDatabase, type OpenDatabase } from './open-database';
export { migrateDown, migrateUp, migrationStatus } from './migrations';
