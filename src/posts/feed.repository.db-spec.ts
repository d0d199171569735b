import { Clock } from '#libs/clock';
import { Database, openDatabase, type OpenDatabase, sql } from '#libs/database';
import { createTestDatabase, queriesOf, type TestDatabase } from '#libs/testing';
import { ENTITIES } from '../operations/process/declarations';
import type { Caller } from '../kernel/callers/caller';
import { FeedRepository } from './feed.repository';

const ITEMS = 5000;

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let db: Database;
let feed: FeedRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase({
    url: testDatabase.url,
    dataDir: '.cache',
    entities: ENTITIES,
    migrations: [],
    migrate: false,
  });
  db = new Database(opened.dataSource);
  feed = new FeedRepository(db, new Clock());
  await db.execute(sql`insert into platforms (id, name, slug) values (1, 'P', 'p')`);
  await db.execute(sql`
    insert into users (id, "PlatformId", name, "nameKey", role)
    values (1, 1, 'Author', 'author', 'creator'), (2, 1, 'Reader', 'reader', 'free')`);
  await db.execute(sql`
    insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "createdAt", "publishedDate",
                          "titleKey", "textKey", "teaserKey")
    select 1, 1, 'T' || n, 't' || n, 'post', case n % 5 when 0 then 'hidden' else 'members' end,
           timestamptz '2026-01-01' + n * interval '1 minute',
           case n % 3 when 0 then timestamptz '2026-01-01' + n * interval '1 minute' end, '', '', ''
      from generate_series(1, ${ITEMS}) n`);
  await db.execute(sql`analyze`);
});
afterAll(async () => {
  await opened.close();
  await testDatabase.drop();
});

const caller = (role: 'free' | 'admin'): Caller => ({
  userId: 2,
  platformId: 1,
  role,
  pending: false,
  banned: false,
  sessionId: 's',
  kind: 'password',
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** How the feed's statement was run. */
async function planOf(role: 'free' | 'admin', cursor?: { at: Date; id: number }): Promise<Plan[]> {
  const sent = jest.spyOn(db.pool, 'query');
  await feed.after(caller(role), { limit: 25, cursor }, 1e9);
  const [{ text, values }] = sent.mock.calls[0] as [{ text: string; values: unknown[] }];
  sent.mockRestore();
  const { rows } = await db.pool.query({ text: `explain (analyze, format json) ${text}`, values });
  const [{ 'QUERY PLAN': plans }] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
  return nodes(plans[0].Plan);
}

it.each([
  ['a member', 'free', undefined],
  ['a member far down', 'free', { at: new Date('2026-01-01T10:00:00Z'), id: 600 }],
  ['staff', 'admin', undefined],
  ['staff far down', 'admin', { at: new Date('2026-01-01T10:00:00Z'), id: 600 }],
] as const)('walks along its index for %s, and no further than it must', async (_, role, cursor) => {
  const plan = await planOf(role, cursor);
  const scans = plan.filter((node) => node['Index Name'] === 'contents_recent');
  expect(scans).toHaveLength(1);
  const [scan] = scans as [Plan];
  expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThan(60);
  // What is sorted is the page, once it is picked.
  expect(plan.filter((node) => node['Node Type'] === 'Sort' && node['Actual Rows'] > 26)).toEqual([]);
});

it('is one statement, and knows of more than the limit', async () => {
  let rows: { title: string }[] = [];
  let more = false;
  const cursor = { at: new Date(Date.UTC(2026, 0, 1) + 12 * 60_000), id: ITEMS };
  const statements = await queriesOf(opened.dataSource, async () => {
    ({ rows, more } = await feed.after(caller('free'), { limit: 3, cursor }, 1e9));
  });
  expect(statements).toHaveLength(1);
  expect(rows.map(({ title }) => title)).toEqual(['T12', 'T11', 'T9']);
  expect(more).toBe(true);
});
