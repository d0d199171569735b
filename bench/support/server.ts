import { Client } from 'pg';

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

export const dropDatabase = (name: string): Promise<void> =>
  onServer(serverUrl(), `drop database if exists ${name} with (force)`);

export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
