/** A collection by its slug against a bare program: uncached, with a limit that varies, and repeated. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { collectionsSeed, MEASURED } from './support/collections-seed';
import { dropDatabase, filledDatabase } from './support/database';
import { latencies, milliseconds, slower } from './support/latency';
import { type Running, SERVER_CORE, startServer } from './support/process';
import { BIG, MEMBER, searchSeed } from './support/search-seed';
import { SERVICE_SECRET, signIn } from './support/session';

const DATABASE = 'bench_collections';
const ITEMS = 20_000;
const COLLECTIONS = 200;
const API = join(__dirname, '../src/main.js');
const BARE = join(__dirname, 'bare/collections.js');
const bySlug = (limit: number): string => `/api/collection-by-slug/${MEASURED.slug}/${BIG}?limit=${limit}`;

async function main(): Promise<void> {
  console.error('seeding');
  const DATABASE_URL = await filledDatabase(DATABASE, [
    ...searchSeed(ITEMS),
    ...collectionsSeed(COLLECTIONS),
  ]);
  const servers: Running[] = [];
  try {
    const env = { RATE_LIMITS: 'off', SERVICE_SECRET, DATABASE_URL };
    const api = await startServer([API], env, '/health/ready', SERVER_CORE);
    servers.push(api);
    const bare = await startServer([BARE], { DATABASE_URL }, bySlug(50), SERVER_CORE);
    servers.push(bare);
    await requireSameItems(api.url + bySlug(50), bare.url + bySlug(50));
    const headers = { authorization: await signIn(api.url, MEMBER) };
    // Around 50, never the same twice in a row: answers of this limit are not remembered yet.
    let limit = 40;
    const varied = (): string => bySlug((limit = limit === 60 ? 40 : limit + 1));
    const times = await latencies([
      { name: 'bare', url: bare.url + bySlug(50) },
      { name: 'member', url: api.url + bySlug(50), headers },
      {
        name: 'varied',
        get url() {
          return api.url + varied();
        },
      },
      { name: 'repeated', url: api.url + bySlug(50) },
    ]);
    for (const name of ['bare', 'member', 'varied', 'repeated']) {
      const of = slower(times, name, 'bare').toFixed(2);
      console.log(`${name.padEnd(10)} ${milliseconds(times, name).padStart(8)}  ${of} of bare`);
    }
  } finally {
    for (const server of servers) await server.stop();
    await dropDatabase(DATABASE);
  }
}

/** The comparison means something only while both list the same. */
async function requireSameItems(one: string, other: string): Promise<void> {
  const [own, bare] = await Promise.all(
    [one, other].map(async (url) => {
      const { Contents = [] } = (await (await fetch(url)).json()) as { Contents?: { id: number }[] };
      return Contents.map(({ id }) => id);
    }),
  );
  if (!own?.length || !isDeepStrictEqual(own, bare)) throw new Error('The collections differ.');
}

void main();
