import { loadSettings } from '#libs/config';
import { openDatabaseOf } from '../../src/operations/process/resources';
import { freshDatabase, onServer } from './server';

export { dropDatabase, freshDatabase, serverUrl } from './server';

/** As `freshDatabase`, migrated and filled. */
export async function filledDatabase(name: string, statements: string[]): Promise<string> {
  const url = await freshDatabase(name);
  const database = await openDatabaseOf(loadSettings({ DATABASE_URL: url }), console.error);
  await database.close();
  await onServer(url, ...statements, 'vacuum analyze');
  return url;
}
