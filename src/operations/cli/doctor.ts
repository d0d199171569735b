import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, type Settings } from '#libs/config';
import { migrationStatus, type OpenDatabase } from '#libs/database';
import { openMailTransport } from '#libs/mail';
import { openQueueBackend } from '#libs/queue';
import { openDatabaseOf } from '../process/resources';

interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** How to mend it. */
  mend?: string;
}
export interface Report {
  ok: boolean;
  checks: Check[];
}

const MOST_SKEW_SECONDS = 5;
const PATIENCE_MS = 3000;

/** Looks at everything that the service needs from its surroundings. */
export async function doctor(): Promise<Report> {
  const settings = loadSettings();
  const checks = [await secrets(settings), await mail(settings)];
  let database: OpenDatabase | undefined;
  const opened = await check(
    'database',
    'Check DATABASE_URL, and that the server runs and has pgvector.',
    async () => {
      database = await openDatabaseOf(settings, console.error, { migrate: false, patienceMs: PATIENCE_MS });
      const [{ version }] = await database.dataSource.query<[{ version: string }]>(
        `select current_setting('server_version') as version`,
      );
      return database.embedded ? 'embedded PostgreSQL' : `PostgreSQL ${version}`;
    },
  );
  checks.unshift(opened);
  if (database) {
    checks.push(await migrations(database), await queue(settings, database), await clock(database));
    await database.close();
  }
  return { ok: checks.every(({ ok }) => ok), checks };
}

async function check(name: string, mend: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    const detail = error instanceof Error ? error.message || error.name : String(error);
    return { name, ok: false, detail, mend };
  }
}

const secrets = ({ DATA_DIR, production }: Settings): Promise<Check> =>
  check('secrets', `Run: chmod 600 ${join(DATA_DIR, 'secrets.json')}`, async () => {
    if (production) return 'from the environment';
    const mode = statSync(join(DATA_DIR, 'secrets.json'), { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o077) !== 0) throw new Error('others may read the generated secrets');
    return mode === undefined ? 'from the environment' : `generated in ${DATA_DIR}`;
  });

const mail = (settings: Settings): Promise<Check> =>
  check('mail', 'Check SMTP_URL, and that the mail server lets this machine send.', async () => {
    const transport = openMailTransport(settings);
    try {
      await transport.check();
      return settings.SMTP_URL ? 'the mail server answers' : `written to ${join(settings.DATA_DIR, 'mail')}`;
    } finally {
      transport.close();
    }
  });

const migrations = ({ dataSource }: OpenDatabase): Promise<Check> =>
  check('migrations', 'Run: npm run --silent cli -- migrate up', async () => {
    const { pending } = await migrationStatus(dataSource);
    if (pending.length > 0) throw new Error(`pending: ${pending.join(', ')}`);
    return 'up to date';
  });

const queue = (settings: Settings, { url, embedded, pooled }: OpenDatabase): Promise<Check> =>
  check('queue', 'Check REDIS_URL, and that Redis runs.', async () => {
    const backend = openQueueBackend({ redisUrl: settings.REDIS_URL, databaseUrl: url, embedded, pooled });
    try {
      await backend.ping();
      return settings.REDIS_URL ? 'Redis' : 'PostgreSQL';
    } finally {
      await backend.close();
    }
  });

const clock = ({ dataSource }: OpenDatabase): Promise<Check> =>
  check('clock', 'Synchronise the clocks of this machine and the database server (NTP).', async () => {
    const [{ at }] = await dataSource.query<[{ at: Date }]>('select clock_timestamp() as at');
    const skew = Math.abs(at.getTime() - Date.now()) / 1000;
    if (skew > MOST_SKEW_SECONDS) throw new Error(`${skew.toFixed(1)} s apart from the database`);
    return 'agrees with the database';
  });
