import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createDataDir, databaseUrl, lockFile, readUrl } from './files';
import { HostProcess, type WatchOptions } from './host-process';
import { isLocked } from './lock';

/**
 * PostgreSQL without a server to install: PGlite (PostgreSQL 18 compiled to WASM) in a child process,
 * reached with the ordinary `pg` driver over 127.0.0.1. For evaluation and tests only:
 * - all connections take turns on one session: while one has a transaction open, all others wait, and
 *   code that waits inside a transaction for a second connection stands still until the first one is
 *   cut off after 60 s idle; session-level SET, temporary tables and session advisory locks are shared;
 * - there is no statement timeout and no query cancel; a query of more than 15 s restarts the database.
 * The URL holds a random password that the host checks; it is also in `postgres.url` (mode 600), so
 * other local users cannot connect. Exactly one host runs per data directory; more processes join it.
 */
export interface EmbeddedPostgres {
  readonly url: string;
  /** true when this process started it, false when it joined one */
  readonly owned: boolean;
  stop(): Promise<void>;
}

export interface TemporaryPostgres extends EmbeddedPostgres {
  /** Writes an uncompressed tar of the whole database to a file, for use as a template. */
  dump(file: string): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const RETRY_MS = 50;
const CONNECT_TIMEOUT_MS = 2_000;

const newPassword = (): string => randomBytes(24).toString('base64url');

async function isReachable(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The URL of a running embedded database, or null. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const url = readUrl(resolve(dataDir));
  return url !== null && (await isReachable(url)) ? url : null;
}

/** Starts the database under `${dataDir}/postgres`, or joins the process that already runs it. */
export async function startEmbeddedPostgres(
  options: { dataDir: string } & WatchOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  createDataDir(dataDir);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const running = await findEmbeddedPostgres(dataDir);
    if (running !== null) return { url: running, owned: false, stop: () => Promise.resolve() };
    // A held lock without an answer: its owner is still starting, or about to end.
    if (!isLocked(lockFile(dataDir))) {
      const password = newPassword();
      const host = new HostProcess({ dataDir, template: null, password }, options);
      if (await host.open()) {
        return { url: databaseUrl(host.port, password), owned: true, stop: () => host.stop() };
      }
    }
    await delay(RETRY_MS);
  }
  throw new Error(`another process holds ${lockFile(dataDir)} but does not answer`);
}

/** An in-memory database that lives as long as this process keeps it, filled from a dump if given. */
export async function startTemporaryPostgres(
  options: { template?: string } & WatchOptions = {},
): Promise<TemporaryPostgres> {
  const password = newPassword();
  const template = options.template === undefined ? null : resolve(options.template);
  const host = new HostProcess({ dataDir: null, template, password }, options);
  await host.open();
  return {
    url: databaseUrl(host.port, password),
    owned: true,
    stop: () => host.stop(),
    dump: (file) => host.dump(resolve(file)),
  };
}
