import { once } from 'node:events';
import {
  type BackendFactory,
  type ConnectionOptions,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { within } from '#libs/deadline';
import { reaching } from '#libs/database';
import { SharedConnections } from './shared-connections';

export interface QueueBackend {
  connection: ConnectionOptions;
  /** What all keys in Redis begin with: services on other databases may share it. */
  prefix?: string;
  /** Seconds that an idle worker waits before it looks again by itself. */
  drainDelay: number;
  /** @throws Error when the queue cannot be reached */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueBackendOptions {
  redisUrl?: string;
  databaseUrl: string;
  /** The embedded server does not pass notifications on, so its workers poll. */
  embedded: boolean;
  /** Behind a pooler connections are shared: nothing can be set on one, and nobody can listen on it. */
  pooled?: boolean;
}

/** A queue that takes longer counts as away. */
const ANSWERS_WITHIN_MS = 500;

/** Where BullMQ keeps its tables. */
const SCHEMA = 'bullmq';

/** Redis when there is one, else the same PostgreSQL as everything else. */
export function openQueueBackend(options: QueueBackendOptions): QueueBackend {
  const { redisUrl, databaseUrl, embedded, pooled = false } = options;
  if (redisUrl) return redisBackend(redisUrl, `community-${new URL(databaseUrl).pathname.slice(1)}`);
  setDefaultBackendFactory(onPostgres);
  const pool = new Pool({
    ...reaching(embedded),
    connectionString: databaseUrl,
    max: embedded ? 4 : 6,
    application_name: 'community-queue',
    ...(!pooled && { options: `-c search_path=${SCHEMA}` }),
  });
  pool.on('error', () => undefined);
  return {
    connection: pooled ? new SharedConnections(pool, SCHEMA) : pool,
    drainDelay: embedded ? 0.2 : pooled ? 1 : 5,
    ping: async () => void (await within(ANSWERS_WITHIN_MS, () => pool.query('select 1'))),
    close: () => pool.end(),
  };
}

/**
 * The tables were made, or found, when the database was opened. BullMQ would look at them once, and take a database
 * that is away in that moment to be so for ever.
 */
class MigratedConnection extends PostgresConnection {
  override waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }
}

const onPostgres: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, options) =>
  new PostgresQueueBackend(new MigratedConnection(options.connection), name, options);

/** Longer than a worker's request waits for a job. A connection that is silent for so long is made anew. */
const SILENT_MS = 8000;

function redisBackend(url: string, prefix: string): QueueBackend {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    socketTimeout: SILENT_MS,
  });
  redis.on('error', () => undefined);
  const ping = async (): Promise<void> => {
    if (redis.status !== 'ready')
      await once(redis, 'ready', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await redis.ping();
  };
  return {
    connection: redis,
    prefix,
    drainDelay: 5,
    ping: () => within(ANSWERS_WITHIN_MS, ping),
    close: async () => redis.disconnect(),
  };
}
