/** What those who are admitted wait while three times as many ask as the service can answer, and how it is afterwards. */
import { join } from 'node:path';
import { dropDatabase, filledDatabase } from './support/database';
import { load, loadWith, SECONDS } from './support/load';
import { memory, type Running, SERVER_CORE, startServer } from './support/process';
import { commentsSeed, CONTENT_ID } from './support/seed';

const DATABASE = 'bench_overload';
const API = join(__dirname, '../src/main.js');
const TIMES = 3;
// Enough that the answers' delay does not slow the asking down.
const CONNECTIONS = 500;

async function main(): Promise<void> {
  const DATABASE_URL = await filledDatabase(DATABASE, commentsSeed(8000));
  let server: Running | undefined;
  try {
    server = await startServer([API], { RATE_LIMITS: 'off', DATABASE_URL }, '/health/ready', SERVER_CORE);
    const target = { name: 'comments', url: `${server.url}/api/chat?contentId=${CONTENT_ID}` };
    await load(target);
    const capacity = await load(target);
    await overload(server, target.url, Math.round(TIMES * capacity));
    const after = await load(target, 2);
    console.log(
      `capacity ${Math.round(capacity)}/s; ${Math.round((after / capacity) * 100)} % of it in the two seconds after`,
    );
  } finally {
    await server?.stop();
    await dropDatabase(DATABASE);
  }
}

async function overload(server: Running, url: string, rate: number): Promise<void> {
  const loading = loadWith({ url, connections: CONNECTIONS, overallRate: rate, duration: 2 * SECONDS });
  const hint = retryAfter(url);
  const { requests, non2xx, errors, refused, p99 } = await loading;
  const statuses = Object.entries(refused).map(([status, count]) => `${count} of ${status}`);
  console.log(
    `asked for ${rate}/s, answered ${Math.round(requests.average)}/s: ${statuses.join(', ') || 'none'} refused, ` +
      `${errors} without an answer; Retry-After: ${non2xx > 0 ? await hint : 'not needed'}`,
  );
  console.log(`p99 of those admitted: ${Math.round(p99)} ms; memory ${memory(server.pid).most} MiB at most`);
}

/** What the first refusal says; one comes within the run, or the run needed none. */
async function retryAfter(url: string): Promise<string> {
  const giveUpAt = Date.now() + 2 * SECONDS * 1000;
  while (Date.now() < giveUpAt) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status === 503) return response.headers.get('retry-after') ?? 'missing';
  }
  return 'none seen';
}

void main();
