import { type ContentRow } from '../content.presenter';
import { ContentListsRepository } from './content-lists.repository';
import { Database, openDatabase, type OpenDatabase, type Sql, sql } from '#libs/database';
import { createTestDatabase, FakeClock, type TestDatabase } from '#libs/testing';
import { ListContentsQuery } from './dto/list-contents.query';

const ITEMS = 20_000;

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let db: Database;
let platformId: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase({
    url: testDatabase.url,
    dataDir: '.cache',
    entities: [],
    migrations: [],
    migrate: false,
  });
  db = new Database(opened.dataSource);
  const platform = await db.row<{ id: number }>(
    sql`insert into platforms (name, slug) values ('Plans', 'plans') returning id`,
  );
  platformId = platform?.id ?? 0;
  // Half of it anyone may read; the rest are teasers, and what only some may know of, dated anyhow.
  const author = await db.row<{ id: number }>(sql`
    insert into users ("PlatformId", name, "nameKey", role, status)
    values (${platformId}, 'Author', 'author', 'creator', 'active') returning id`);
  // A part at a time, each of them within the time of a statement on a busy machine.
  for (let first = 1; first <= ITEMS; first += ITEMS / 10) {
    await db.execute(sql`
    insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "titleKey", "textKey", "teaserKey",
                          "createdAt", "publishedDate", "expireDate", "viewCount", "commentCount")
    select ${platformId}, ${author?.id}, 'Item', 'item-' || n, 'article',
           (array['public', 'public', 'public', 'members', 'private', 'hidden'])[n % 6 + 1],
           md5(n::text), '', '', now() - (n * 7919 % 4001) * interval '1 minute',
           case when n % 3 = 0 then now() - (n * 104729 % 4001) * interval '1 hour' end,
           case when n % 10 = 0 then now() - interval '1 day' end, n * 31 % 997, n * 17 % 991
      from generate_series(${first}::int, ${first + ITEMS / 10 - 1}::int) n`);
  }
  await db.execute(sql`analyze contents, content_ranks`);
}, 120_000);
afterAll(async () => {
  await opened.close();
  await testDatabase.drop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node: Plan): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

/** The plans of the statements that a page for a visitor sends, as they ran. */
async function plansOf(query: Partial<ListContentsQuery>): Promise<{ rows: ContentRow[]; plan: Plan[] }> {
  const sent: Sql[] = [];
  const lists = new ContentListsRepository(
    new Proxy(db, {
      get: (target, name: keyof Database) =>
        name === 'sizedPage'
          ? (rows: Sql, all: Sql) => (sent.push(rows), target.sizedPage(rows, all))
          : target[name].bind(target),
    } as ProxyHandler<any>),
    new FakeClock(),
  );
  const { rows } = await lists.page(null, platformId, Object.assign(new ListContentsQuery(), query), 1e9);
  const [page] = sent;
  if (!page) throw new Error('The page was not asked for.');
  const [explained] = await db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    sql`explain (analyze, format json) ${page}`,
  );
  if (!explained) throw new Error('There is no plan.');
  return { rows, plan: nodesOf(explained['QUERY PLAN'][0].Plan) };
}

describe('a page of contents for a visitor', () => {
  it.each([
    ['publishedDate', 'contents_recent'],
    ['createdAt', 'contents_createdAt'],
    ['title', 'contents_title'],
    ['views', 'content_ranks_views'],
    ['comments', 'content_ranks_comments'],
  ])('by %s is read from the index %s, in either direction', async (field, index) => {
    for (const direction of ['asc', 'desc']) {
      const { rows, plan } = await plansOf({ sort: `${field}:${direction}` });
      expect(rows).toHaveLength(25);
      const scans = plan.filter((node) => /^content(s|_ranks)$/.test(node['Relation Name'] ?? ''));
      // The index that has the order, and each item of the page by its id.
      expect(scans.map((node) => node['Index Name'])).toEqual(expect.arrayContaining([index]));
      // Neither read nor sorted is more than a page with what was passed over on the way.
      const most = Math.max(...scans.map(rowsOf));
      expect(most).toBeLessThan(ITEMS / 20);
      const sorted = plan
        .filter((node) => node['Node Type'].includes('Sort'))
        .map((node) => node['Actual Rows']);
      expect(Math.max(0, ...sorted)).toBeLessThanOrEqual(25);
    }
  });
});
