import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startTemporaryPostgres } from '#libs/embedded-postgres';
import { loadSettings } from '#libs/config';
import { openDatabaseOf } from '../../src/operations/process/resources';
import { onServer, TEMPLATE } from '#libs/testing';

/** Migrates one database for the whole run, which each test file then clones. Made again when a migration changes. */
export async function prepareTemplate(): Promise<void> {
  const { DATABASE_URL: server } = process.env;
  process.env[TEMPLATE] = server ? await templateOnServer(server) : await embeddedTemplate();
}

async function migrate(url: string): Promise<void> {
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATA_DIR: join(tmpdir(), 'community-tests'),
  });
  const database = await openDatabaseOf(settings, () => undefined);
  await database.close();
}

async function embeddedTemplate(): Promise<string> {
  const directory = join('.cache', 'test-template');
  const file = join(directory, `${schemaHash()}.tar`);
  if (existsSync(file)) return file;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const postgres = await startTemporaryPostgres();
  await migrate(postgres.url);
  await postgres.dump(`${file}.part`);
  await postgres.stop();
  renameSync(`${file}.part`, file);
  return file;
}

async function templateOnServer(server: string): Promise<string> {
  const name = `community_template_${schemaHash()}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
  await client.end();
  if (rowCount) return name;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return name;
}

/** Changes whenever the migrated schema may. */
function schemaHash(): string {
  const directory = join('dist', 'src', 'operations', 'migrations');
  const hash = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of readdirSync(directory).sort()) {
    if (file.endsWith('.js')) hash.update(readFileSync(join(directory, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
