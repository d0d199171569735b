/** How long a start takes, to the first answer of /health/ready, and how much memory the service has after load. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { dropDatabase, filledDatabase, freshDatabase } from './support/database';
import { load, median, type Target } from './support/load';
import { childrenOf, memory, type Running, startServer } from './support/process';
import { commentsSeed, CONTENT_ID } from './support/seed';

const API = join(__dirname, '../src/main.js');
const STARTS = 5;
const LOAD_SECONDS = Number(process.env.LOAD_SECONDS ?? 30);
const DATABASE = 'bench_start';

const start = (env: Record<string, string>): Promise<Running> =>
  startServer([API], { RATE_LIMITS: 'off', ...env }, '/health/ready');

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    await embedded(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  try {
    await onServer();
  } finally {
    await dropDatabase(DATABASE);
  }
}

async function embedded(DATA_DIR: string): Promise<void> {
  const first = await start({ DATA_DIR });
  say('embedded, first start with the demo', first.startedIn);
  const [database = 0] = childrenOf(first.pid);
  console.log(`  memory: API ${shown(first.pid)}, database ${shown(database)}`);
  await first.stop();
  say('embedded, later start', await medianStart({ DATA_DIR }));
  const running = await start({ DATA_DIR });
  await loadAll(running, { contentId: 2, search: 'tide' });
  const [loaded = 0] = childrenOf(running.pid);
  console.log(`  memory after load: API ${shown(running.pid)}, database ${shown(loaded)}`);
  await running.stop();
}

async function onServer(): Promise<void> {
  const empty = await start({ DATABASE_URL: await freshDatabase(DATABASE) });
  say('server, first start with migrations', empty.startedIn);
  await empty.stop();
  const DATABASE_URL = await filledDatabase(DATABASE, commentsSeed(8000));
  say('server, later start', await medianStart({ DATABASE_URL }));
  const running = await start({ DATABASE_URL });
  console.log(`  memory before load: API ${shown(running.pid)}`);
  await loadAll(running, { contentId: CONTENT_ID, search: 'item' });
  console.log(`  memory after load: API ${shown(running.pid)}`);
  await running.stop();
}

async function medianStart(env: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const running = await start(env);
    times.push(running.startedIn);
    await running.stop();
  }
  return median(times);
}

/** The reads that a visitor makes, one after the other. */
async function loadAll(
  { url }: Running,
  { contentId, search }: { contentId: number; search: string },
): Promise<void> {
  const targets: Target[] = [
    { name: 'comments', url: `${url}/api/chat?contentId=${contentId}` },
    { name: 'collections', url: `${url}/api/collection/1` },
    { name: 'search', url: `${url}/api/content/search?q=${search}&PlatformId=1` },
  ];
  for (const target of targets) await load(target, LOAD_SECONDS / targets.length);
}

const shown = (pid: number): string => {
  const { now, most } = memory(pid);
  return `${now} MiB (at most ${most})`;
};

const say = (what: string, ms: number): void => console.log(`${what}: ${(ms / 1000).toFixed(2)} s`);

void main();
