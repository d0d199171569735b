import { EXIT_CONFIG, loadSettings, type Settings, SettingsError } from '#libs/config';
import { databaseError, DatabaseSetupError, openDatabase, type OpenDatabase } from '#libs/database';
import { createLogger, type Logger } from '#libs/logging';
import { migrateQueue, openQueueBackend } from '#libs/queue';
import type { Resources } from './core.module';
import { ENTITIES } from './declarations';
import { MIGRATIONS } from '../migrations';

export interface OpenResources extends Resources {
  logger: Logger;
  close: () => Promise<void>;
}

/** The database of the settings, checked and migrated. */
export const openDatabaseOf = (
  settings: Settings,
  log: (message: string) => void,
  options: { migrate?: boolean; onLost?: () => void; patienceMs?: number } = {},
): Promise<OpenDatabase> =>
  openDatabase({
    url: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    afterMigrating: settings.REDIS_URL ? undefined : migrateQueue,
    log,
    ...options,
  });

interface ResourceOptions {
  settings?: Settings;
  logTo?: 'stdout' | 'stderr';
  /** Called when the embedded database dies under the process. */
  onLost?: () => void;
}

/** Opens what a process needs before its application starts; `close` comes after the application's own. */
export async function openResources({
  settings = loadSettings(),
  logTo = 'stdout',
  onLost,
}: ResourceOptions = {}): Promise<OpenResources> {
  const logger = createLogger(settings.LOG_LEVEL, logTo === 'stderr' ? 2 : undefined);
  const database = await openDatabaseOf(settings, (message) => logger.warn(message), { onLost });
  const queue = openQueueBackend({
    redisUrl: settings.REDIS_URL,
    databaseUrl: database.url,
    embedded: database.embedded,
    pooled: database.pooled,
  });
  const close = async (): Promise<void> => {
    await queue.close();
    await database.close();
  };
  return { settings, logger, database, queue, close };
}

/** Says in one clear message why a process cannot start, and with what exit code it ends. */
export function explainFailure(error: unknown): number {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof SettingsError || error instanceof DatabaseSetupError) {
    console.error(error.message);
    return EXIT_CONFIG;
  }
  if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT to a free one.`);
  else if (databaseError(error)?.status === 503) {
    console.error(`The database did not answer for a minute (${message || code}). Check DATABASE_URL.`);
  } else console.error(error);
  return 1;
}

/** The embedded database lives in a process of its own; without it there is nothing to serve. */
export function exitWithoutDatabase(): never {
  console.error('The embedded database ended unexpectedly; see above.');
  process.exit(1);
}
