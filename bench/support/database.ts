import { Client } from 'pg';
import { loadSettings } from '#libs/config';
import { openDatabaseOf } from '../../src/operations/process/resources';

/** The PostgreSQL server to measure on. */
export function serverUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url) return url;
  console.error(
    'Set DATABASE_URL to a PostgreSQL server on which databases can be made; see bench/README.md.',
  );
  process.exit(78);
}

/** A new, empty database on the server; one of an earlier run is dropped. */
export async function freshDatabase(name: string): Promise<string> {
  await onServer(serverUrl(), `drop database if exists ${name} with (force)`, `create database ${name}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** As `freshDatabase`, migrated and filled. */
export async function filledDatabase(name: string, statements: string[]): Promise<string> {
  const url = await freshDatabase(name);
  const database = await openDatabaseOf(loadSettings({ DATABASE_URL: url }), console.error);
  await database.close();
  await onServer(url, ...statements, 'vacuum analyze');
  return url;
}

export const dropDatabase = (name: string): Promise<void> =>
  onServer(serverUrl(), `drop database if exists ${name} with (force)`);

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
