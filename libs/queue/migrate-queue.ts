import { runMigrations } from 'bullmq';
import { Client } from 'pg';

/** Creates or updates BullMQ's own tables, in the schema `bullmq`. It takes its own lock. */
export async function migrateQueue(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}
