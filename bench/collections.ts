/** A collection by its slug against a bare program: uncached, signed in, and repeated. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { collectionsSeed, MEASURED } from './support/collections-seed';
import { dropDatabase, filledDatabase } from './support/database';
import { inTurns, median, ratio } from './support/load';
import { type Running, SERVER_CORE, startServer } from './support/process';
import { BIG, MEMBER, searchSeed } from './support/search-seed';
import { SERVICE_SECRET, signIn } from './support/session';

const DATABASE = 'bench_collections';
const ITEMS = 20_000;
const COLLECTIONS = 200;
const API = join(__dirname, '../src/main.js');
const BARE = join(__dirname, 'bare/collections.js');
const PROMISES = {
  bare: '',
  uncached: '(promise: 75 % or more)',
  member: '',
  repeated: '(promise: 300 % or more)',
};
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
    const rates = await inTurns([
      { name: 'bare', url: bare.url + bySlug(50) },
      // A parameter that means nothing: no answer to this address is kept.
      { name: 'uncached', url: `${api.url}${bySlug(50)}&other=[<id>]` },
      { name: 'member', url: api.url + bySlug(50), headers },
      { name: 'repeated', url: api.url + bySlug(50) },
    ]);
    for (const [name, promise] of Object.entries(PROMISES)) {
      const percent = Math.round(ratio(rates, name, 'bare') * 100);
      const rate = Math.round(median(rates.get(name) ?? []));
      console.log(`${name.padEnd(10)} ${String(rate).padStart(6)}/s  ${percent} % of bare  ${promise}`);
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
