import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '#libs/config';
import { startTemporaryPostgres } from '#libs/embedded-postgres';
import { openApiDocument } from '#libs/http';
import { createLogger } from '#libs/logging';
import { openQueueBackend } from '#libs/queue';
import { createApp } from '../../http-app';
import { openDatabaseOf } from '../process/resources';

/** The document of the built application. It needs the application to exist, so it gets an empty database. */
export async function printOpenApi(): Promise<object> {
  const postgres = await startTemporaryPostgres();
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: postgres.url,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'community-openapi-')),
  });
  const database = await openDatabaseOf(settings, console.error);
  const queue = openQueueBackend({ databaseUrl: postgres.url, embedded: true });
  try {
    const app = await createApp({ settings, database, queue }, createLogger('silent'));
    await app.init();
    const document = openApiDocument(app);
    await app.close();
    return document;
  } finally {
    await queue.close();
    await database.close();
    await postgres.stop();
  }
}
