/** The list of comments against a bare program, signed in, deep in the list, and with ten times the rows. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { dropDatabase, filledDatabase } from './support/database';
import { inTurns, median, ratio } from './support/load';
import { memory, type Running, SERVER_CORE, startServer } from './support/process';
import { commentsSeed, CONTENT_ID, MEMBER } from './support/seed';
import { SERVICE_SECRET, signIn } from './support/session';

const COMMENTS = 8000;
const DATABASES = { once: 'bench_comments', tenfold: 'bench_comments_tenfold' };
const API = join(__dirname, '../src/main.js');
const BARE = join(__dirname, 'bare/comments.js');
const page = (number: number): string => `/api/chat?contentId=${CONTENT_ID}&currentPage=${number}`;

async function main(): Promise<void> {
  console.error('seeding');
  const once = await filledDatabase(DATABASES.once, commentsSeed(COMMENTS));
  const tenfold = await filledDatabase(DATABASES.tenfold, commentsSeed(10 * COMMENTS));
  const servers: Running[] = [];
  const start = async (
    program: string[],
    env: Record<string, string>,
    readyPath: string,
  ): Promise<Running> => {
    const server = await startServer(program, env, readyPath, SERVER_CORE);
    servers.push(server);
    return server;
  };
  // PROFILE=<directory> writes a CPU profile of the service there.
  const profile = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : [];
  const settings = { RATE_LIMITS: 'off', SERVICE_SECRET };
  try {
    const api = await start([...profile, API], { ...settings, DATABASE_URL: once }, '/health/ready');
    const large = await start([API], { ...settings, DATABASE_URL: tenfold }, '/health/ready');
    const bare = await start([BARE], { DATABASE_URL: once }, page(1));
    for (const number of [1, 160, 320]) await requireSameAnswer(api.url, bare.url, page(number));
    const rates = await inTurns([
      { name: 'service', url: api.url + page(1) },
      { name: 'bare', url: bare.url + page(1) },
      {
        name: 'signed in',
        url: api.url + page(1),
        headers: { authorization: await signIn(api.url, MEMBER) },
      },
      { name: 'page 160', url: api.url + page(160) },
      { name: 'page 320', url: api.url + page(320) },
      { name: 'tenfold', url: large.url + page(1) },
      { name: 'tenfold page 3200', url: large.url + page(3200) },
    ]);
    report(rates);
    console.log(`memory of the service after the load: ${memory(api.pid).now} MiB`);
  } finally {
    for (const server of servers) await server.stop();
    for (const name of Object.values(DATABASES)) await dropDatabase(name);
  }
}

function report(rates: Map<string, number[]>): void {
  for (const [name, values] of rates) {
    const range = `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}`;
    console.log(`${name.padEnd(18)} ${String(Math.round(median(values))).padStart(6)}/s   (${range})`);
  }
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  console.log(
    `service of bare                  ${percent(ratio(rates, 'service', 'bare'))}   (promise: 75 % or more)`,
  );
  console.log(
    `signed in of anonymous           ${percent(ratio(rates, 'signed in', 'service'))}   (promise: 85 % or more)`,
  );
  for (const name of ['page 160', 'page 320', 'tenfold', 'tenfold page 3200']) {
    const times = ratio(rates, 'service', name).toFixed(2);
    console.log(`${`time of ${name} to page 1`.padEnd(32)} ${times}   (promise: 1.3 or less)`);
  }
}

/** The comparison means something only while both do the same. */
async function requireSameAnswer(one: string, other: string, path: string): Promise<void> {
  const bodies = await Promise.all([one, other].map(async (url) => (await fetch(url + path)).json()));
  if (!isDeepStrictEqual(bodies[0], bodies[1])) throw new Error(`The answers to ${path} differ.`);
}

void main();
