/** The search against a bare program, and in a table of ten times the rows with the same number of matches. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { dropDatabase, filledDatabase } from './support/database';
import { latencies, milliseconds, slower } from './support/latency';
import { type Running, SERVER_CORE, startServer } from './support/process';
import { BIG, FEW_ITEMS, MANY_ITEMS, MEMBER, searchSeed, SMALL } from './support/search-seed';
import { SERVICE_SECRET, signIn } from './support/session';

const ITEMS = Number(process.env.ITEMS ?? 200_000);
const DATABASES = { tenth: 'bench_search_tenth', whole: 'bench_search' };
const API = join(__dirname, '../src/main.js');
const BARE = join(__dirname, 'bare/search.js');

const on = (platform: number, q: string): string =>
  `/api/content/search?PlatformId=${platform}&q=${encodeURIComponent(q)}`;
const QUERIES: Record<string, string> = {
  'rare word': on(BIG, 'zephyrine'),
  'common word': on(BIG, 'marigold'),
  'nothing found': on(BIG, 'nothing of this'),
  'two characters': on(BIG, 'ba'),
  'one character': on(BIG, 'b'),
  'author of few': on(BIG, FEW_ITEMS),
  'author of many': on(BIG, MANY_ITEMS),
  'small platform': on(SMALL, 'marigold'),
  'all platforms': '/api/content/search?q=zephyrine',
};
/** Those that match as much in both tables. */
const GROWTH = ['rare word', 'common word', 'nothing found', 'author of few'];

async function main(): Promise<void> {
  console.error('seeding');
  const tenth = await filledDatabase(DATABASES.tenth, searchSeed(ITEMS / 10));
  const whole = await filledDatabase(DATABASES.whole, searchSeed(ITEMS));
  const servers: Running[] = [];
  const start = async (program: string, env: Record<string, string>, readyPath: string): Promise<Running> => {
    const server = await startServer([program], env, readyPath, SERVER_CORE);
    servers.push(server);
    return server;
  };
  const settings = { RATE_LIMITS: 'off', SERVICE_SECRET };
  try {
    const api = await start(API, { ...settings, DATABASE_URL: whole }, '/health/ready');
    const small = await start(API, { ...settings, DATABASE_URL: tenth }, '/health/ready');
    const bare = await start(BARE, { DATABASE_URL: whole }, on(BIG, 'zephyrine'));
    const headers = { authorization: await signIn(api.url, MEMBER) };
    console.log(`${'search'.padEnd(16)} ${'service'.padStart(9)}  of bare  member   growth`);
    for (const [name, path] of Object.entries(QUERIES)) {
      await requireSameAnswer(api.url + path, bare.url + path);
      const times = await latencies([
        { name: 'service', url: api.url + path },
        { name: 'bare', url: bare.url + path },
        { name: 'member', url: api.url + path, headers },
        { name: 'tenth', url: small.url + path },
      ]);
      const growth = GROWTH.includes(name) ? slower(times, 'service', 'tenth').toFixed(2) : '';
      console.log(
        `${name.padEnd(16)} ${milliseconds(times, 'service').padStart(9)}  ${slower(times, 'service', 'bare').toFixed(2).padStart(7)}  ${milliseconds(times, 'member').padStart(8)}  ${growth}`,
      );
    }
    console.log('promises: 1.5 or less of bare; growth 1.3 or less');
  } finally {
    for (const server of servers) await server.stop();
    for (const name of Object.values(DATABASES)) await dropDatabase(name);
  }
}

/** The comparison means something only while both do the same. */
async function requireSameAnswer(one: string, other: string): Promise<void> {
  const [own, bare] = await Promise.all([one, other].map(async (url) => (await fetch(url)).json()));
  if (!isDeepStrictEqual(own, bare)) throw new Error(`The answers to ${one} differ.`);
}

void main();
