import { loadSettings } from '#libs/config';
import { migrateDown, migrateUp, migrationStatus } from '#libs/database';
import { ValidationError } from '#libs/errors';
import { openDatabaseOf } from '../process/resources';

const DIRECTIONS = { up: migrateUp, down: migrateDown, status: migrationStatus };

export async function migrate(direction: string): Promise<object> {
  if (!(direction in DIRECTIONS)) throw ValidationError.of('direction', 'must be up, down or status');
  const database = await openDatabaseOf(loadSettings(), console.error, { migrate: false });
  try {
    const result = await DIRECTIONS[direction as keyof typeof DIRECTIONS](database.dataSource);
    return Array.isArray(result) ? { [direction]: result } : result;
  } finally {
    await database.close();
  }
}
