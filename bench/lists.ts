/** Page 1 of the lists, in tables of ten times the rows. What a build does not have yet is named and left out. */
import { join } from 'node:path';
import { collectionsSeed } from './support/collections-seed';
import { dropDatabase, filledDatabase } from './support/database';
import { type Asked, latencies, milliseconds, slower } from './support/latency';
import { type Running, SERVER_CORE, startServer } from './support/process';
import { BIG, MEMBER, MEMBER_OF_SMALL, searchSeed } from './support/search-seed';
import { SERVICE_SECRET, signIn } from './support/session';

const ITEMS = Number(process.env.ITEMS ?? 200_000);
const NEIGHBOUR_HAS = 1000;
const DATABASES = { tenth: 'bench_lists_tenth', whole: 'bench_lists' };
const API = join(__dirname, '../src/main.js');
const ADMIN = { email: 'member4@bench.example', platformId: BIG };

/** A neighbour is a member of a platform that has the same items in both tables. */
type Viewer = 'visitor' | 'member' | 'neighbour' | 'admin';
/** Visitors' answers may be cached: signed-in readers are measured, and visitors where nobody signs in. */
const LISTS: [Viewer, string][] = [
  ...(['neighbour', 'member'] as const).flatMap((viewer) =>
    ['publishedDate', 'createdAt', 'title', 'views', 'comments'].map((field): [Viewer, string] => [
      viewer,
      `/api/contents?sort=${field}:desc`,
    ]),
  ),
  ['neighbour', '/api/posts'],
  ['neighbour', '/api/posts?sort=activity:desc'],
  ['neighbour', '/api/feed'],
  ['member', '/api/contents?filters=type:article'],
  ['admin', '/api/contents?filters=published:all'],
  ['member', '/api/posts'],
  ['member', '/api/posts?sort=activity:desc'],
  ['member', '/api/feed'],
  ['member', '/api/collection-by-slug/collection-1/1?limit=50'],
  ['visitor', '/api/collection/public/1'],
  ['member', '/api/collection/1?limit=10&contentLimit=10'],
  ['admin', '/api/admin/collections'],
  ['member', '/api/groups'],
  ['member', '/api/keywords'],
  ['admin', '/api/users'],
  ['admin', '/api/admin/audit'],
  ['admin', '/api/admin/ads'],
  ['member', '/api/ads?placement=home'],
];

async function main(): Promise<void> {
  console.error('seeding');
  const fill = (name: string, items: number): Promise<string> =>
    filledDatabase(name, [
      ...searchSeed(items, items / 40, NEIGHBOUR_HAS),
      ...collectionsSeed(items / 1000),
      `update users set role = 'admin' where email = '${ADMIN.email}'`,
    ]);
  const urls = [await fill(DATABASES.tenth, ITEMS / 10), await fill(DATABASES.whole, ITEMS)];
  const servers: Running[] = [];
  try {
    for (const DATABASE_URL of urls) {
      const env = { RATE_LIMITS: 'off', SERVICE_SECRET, DATABASE_URL };
      servers.push(await startServer([API], env, '/health/ready', SERVER_CORE));
    }
    const [tenth, whole] = await Promise.all(servers.map(askersOf));
    if (!tenth || !whole) return;
    console.log(`${'page 1'.padEnd(56)}  time  growth (promise: 1.3 or less)`);
    for (const [viewer, path] of LISTS) {
      const pair = [tenth(viewer, path, 'tenth'), whole(viewer, path, 'whole')];
      const name = `${viewer} ${path}`.padEnd(56);
      if (!(await served(pair))) {
        console.log(`${name}  not served`);
        continue;
      }
      const times = await latencies(pair);
      console.log(`${name}  ${milliseconds(times, 'whole')}  ${slower(times, 'whole', 'tenth').toFixed(2)}`);
    }
  } finally {
    for (const server of servers) await server.stop();
    for (const name of Object.values(DATABASES)) await dropDatabase(name);
  }
}

type Asker = (viewer: Viewer, path: string, name: string) => Asked;

async function askersOf({ url }: Running): Promise<Asker> {
  const headers: Record<Viewer, Record<string, string>> = {
    visitor: {},
    member: { authorization: await signIn(url, MEMBER) },
    neighbour: { authorization: await signIn(url, MEMBER_OF_SMALL) },
    admin: { authorization: await signIn(url, ADMIN) },
  };
  return (viewer, path, name) => ({ name, url: url + path, headers: headers[viewer] });
}

const served = async (targets: Asked[]): Promise<boolean> => {
  const answers = await Promise.all(targets.map(({ url, headers }) => fetch(url, { headers })));
  if (answers.some(({ status }) => status >= 500)) throw new Error(`${targets[0]?.url} fails`);
  return answers.every(({ ok }) => ok);
};

void main();
