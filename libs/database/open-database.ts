import { setTimeout as wait } from 'node:timers/promises';
import { DataSource, type MixedList } from 'typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { reaching } from './connections';
import { databaseError, isParameterRefused } from './database-errors';
import { migrateUp } from './migrations';

type Class = new (...parameters: never[]) => object;

export interface DatabaseOptions {
  /** Without it the embedded PostgreSQL under `dataDir` is started or joined. */
  url?: string;
  dataDir: string;
  entities: MixedList<Class>;
  migrations: MixedList<Class>;
  /** Migrations of others that share the database, such as the queue's; must bear being run again. */
  afterMigrating?: (url: string, embedded: boolean) => Promise<void>;
  log?: (message: string) => void;
  /** How long to wait for a database that is away. */
  patienceMs?: number;
  migrate?: boolean;
  /** Called when the embedded server dies under this process. */
  onLost?: () => void;
}

export interface OpenDatabase {
  dataSource: DataSource;
  url: string;
  embedded: boolean;
  /** A pooler stands before the server: what is set on a connection need not be there for the next statement. */
  pooled: boolean;
  close(): Promise<void>;
}

/** The database can be reached but cannot serve: starting again will not help. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

const POOL = { server: 10, embedded: 4 };
/** What bounds each of our statements, in the server itself. Compiling one takes longer than any of them runs. */
const LIMITS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 };
type Reach = 'embedded' | 'server' | 'pooled';
// The second tells that all of it arrived. The embedded server has its own of it.
const OPTIONS = '-c jit=off -c community.reach=server';
const MIN_SERVER_VERSION = 150000;
const MIN_VECTOR_VERSION = [0, 8];
const EXTENSIONS = ['vector', 'pg_trgm', 'btree_gin'];

/**
 * Opens the database, ready to use: reachable, of a version that serves, migrated.
 * @throws DatabaseSetupError for a wrong version or a missing extension; the driver's error after `patienceMs`
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const embedded =
    options.url === undefined
      ? await startEmbeddedPostgres({ dataDir: options.dataDir, onExit: options.onLost })
      : null;
  try {
    return await open(options, options.url ?? (embedded as EmbeddedPostgres).url, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function open(
  options: DatabaseOptions,
  url: string,
  embedded: EmbeddedPostgres | null,
): Promise<OpenDatabase> {
  const { dataSource, reach } = await connect(url, embedded ? 'embedded' : 'server', options);
  try {
    await check(dataSource);
    if (options.migrate !== false) {
      await migrateUp(dataSource);
      await options.afterMigrating?.(url, embedded !== null);
    }
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return {
    dataSource,
    url,
    embedded: embedded !== null,
    pooled: reach === 'pooled',
    close: async () => {
      await dataSource.destroy();
      await embedded?.stop();
    },
  };
}

function createDataSource(
  url: string,
  reach: Reach,
  { entities, migrations }: Pick<DatabaseOptions, 'entities' | 'migrations'>,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolSize: reach === 'embedded' ? POOL.embedded : POOL.server,
    applicationName: 'community',
    extra: {
      ...reaching(reach === 'embedded'),
      // The embedded server's connections share one session: settings of one would be settings of all.
      ...(reach === 'server' && { ...LIMITS, options: OPTIONS }),
      ...(reach === 'pooled' && { [EACH_TRANSACTION]: settingsOfTransaction() }),
    },
  });
}

const EACH_TRANSACTION = 'eachTransaction';
const settingsOfTransaction = (): string =>
  Object.entries({ ...LIMITS, jit: 'off' })
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ');

/** What a transaction begins with behind a pooler, which gives it whichever connection is free. */
export const beginningOf = ({ options }: DataSource): string | undefined =>
  (options as { extra?: { [EACH_TRANSACTION]?: string } }).extra?.[EACH_TRANSACTION];

async function connect(
  url: string,
  wanted: Reach,
  options: DatabaseOptions,
): Promise<{ dataSource: DataSource; reach: Reach }> {
  const { log, patienceMs = 60_000 } = options;
  const giveUpAt = Date.now() + patienceMs;
  let reach = wanted;
  for (let attempt = 1; ; attempt++) {
    const dataSource = createDataSource(url, reach, options);
    try {
      await dataSource.initialize();
      const { seen, limit } = await settingsOf(dataSource);
      if (reach === 'pooled' && limit === '0') log?.(UNLIMITED);
      if (reach !== 'server' || seen === 'server') return { dataSource, reach };
      // A pooler that drops what it is told says nothing about it.
      await dataSource.destroy();
      reach = seen ?? 'pooled';
    } catch (error) {
      if (dataSource.isInitialized) await dataSource.destroy();
      if (reach === 'server' && isParameterRefused(error)) {
        reach = 'pooled';
        continue;
      }
      const away = databaseError(error)?.status === 503;
      if (!away) throw new DatabaseSetupError(`The database refused the connection: ${reason(error)}`);
      if (Date.now() + 1000 > giveUpAt) throw error;
      if (attempt === 1 || attempt % 10 === 0)
        log?.(`The database is away (${reason(error)}); waiting for it.`);
      await wait(1000);
    }
  }
}

const UNLIMITED =
  'The database is behind a pooler that does not pass settings on, and its role has no statement_timeout: ' +
  'single statements are bounded by this process alone. docs/operations.md says how to give the role its limits.';

async function settingsOf(dataSource: DataSource): Promise<{ seen: Reach | null; limit: string }> {
  const [settings] = await dataSource.query<[{ seen: Reach | null; limit: string }]>(
    `select nullif(current_setting('community.reach', true), '') as seen,
            current_setting('statement_timeout') as limit`,
  );
  return settings;
}

const reason = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
};

async function check(dataSource: DataSource): Promise<void> {
  const [{ version }] = await dataSource.query<[{ version: number }]>(
    `select current_setting('server_version_num')::int as version`,
  );
  if (version < MIN_SERVER_VERSION) {
    throw new DatabaseSetupError('The database must be PostgreSQL 15 or newer.');
  }
  const available = await dataSource.query<{ name: string; version: string }[]>(
    `select name, coalesce(installed_version, default_version) as version
       from pg_available_extensions where name = any($1)`,
    [EXTENSIONS],
  );
  const versions = new Map(available.map((extension) => [extension.name, extension.version]));
  for (const name of EXTENSIONS) {
    if (!versions.has(name)) {
      throw new DatabaseSetupError(
        `The database server lacks the extension "${name}". Install it (on Debian and Ubuntu: ` +
          `${name === 'vector' ? 'postgresql-<version>-pgvector' : 'postgresql-contrib'}) and start again.`,
      );
    }
  }
  const [major = 0, minor = 0] = (versions.get('vector') ?? '').split('.').map(Number);
  if (major === MIN_VECTOR_VERSION[0] && minor < (MIN_VECTOR_VERSION[1] ?? 0)) {
    throw new DatabaseSetupError(
      `The extension "vector" must be 0.8 or newer, this server has ${major}.${minor}.`,
    );
  }
}
