import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startTemporaryPostgres } from '#libs/embedded-postgres';

export interface TestDatabase {
  url: string;
  embedded: boolean;
  drop(): Promise<void>;
}

/** How the template is handed from the set-up of a run to its test files. */
export const TEMPLATE = 'TEST_TEMPLATE';

/** A database of its own, migrated already: a clone of the template that the run's set-up made. */
export function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env[TEMPLATE];
  if (!template) throw new Error('There is no template: run the tests through jest.');
  const server = process.env.DATABASE_URL;
  return server ? cloneOnServer(server, template) : startEmbedded(template);
}

async function startEmbedded(template: string): Promise<TestDatabase> {
  const postgres = await startTemporaryPostgres({ template });
  return { url: postgres.url, embedded: true, drop: () => postgres.stop() };
}

async function cloneOnServer(server: string, template: string): Promise<TestDatabase> {
  const name = `community_test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    embedded: false,
    drop: () => onServer(server, `drop database ${name} with (force)`),
  };
}

export async function onServer(server: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
