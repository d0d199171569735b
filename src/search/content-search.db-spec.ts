import { Clock } from '#libs/clock';
import { loadSettings } from '#libs/config';
import { Database, type OpenDatabase, sql } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { openDatabaseOf } from '../operations/process/resources';
import type { Caller } from '../kernel/callers/caller';
import { ContentSearchRepository } from './content-search.repository';
import { SEARCH_SETTINGS, type Search, type SearchBounds, searchStatement } from './content-search.sql';

const ITEMS = 20_000;
const PIECE = 2000;
const PLATFORM = 1;
const SMALL = 2;

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: testDatabase.url,
    DATA_DIR: '.cache/data',
  });
  opened = await openDatabaseOf(settings, () => undefined, { migrate: false });
  db = new Database(opened.dataSource);
  for (const statement of seed()) await opened.dataSource.query(statement);
}, 120_000);
afterAll(async () => {
  await opened.close();
  await testDatabase.drop();
});

// One item in a hundred is on the small platform; "kelp" is in few texts, "tide" in a quarter of all titles,
// "wave" in half of the texts; every author's name but one is of another alphabet.
const seed = (): string[] => [
  `insert into platforms (id, name, slug) values (1, 'A', 'a'), (2, 'B', 'b')`,
  `insert into users (id, "PlatformId", name, "nameKey", role)
   select n, case when n > 500 then 2 else 1 end, 'Ναύτης ' || n, case n when 7 then 'ishmael' else 'ναυτης ' || n end, 'free'
     from generate_series(1, 1000) n`,
  // In pieces: a statement that goes on for long ends the embedded server's patience on a busy machine.
  ...Array.from({ length: ITEMS / PIECE }, (_, piece) => items(1 + piece * PIECE, (piece + 1) * PIECE)),
  `analyze`,
];

const items = (first: number, last: number): string =>
  `insert into contents ("PlatformId", "UserId", title, slug, description, type, visibility, "requiredRole",
                         "createdAt", "titleKey", "textKey", "teaserKey")
   select case when n % 100 = 0 then 2 else 1 end, case when n % 100 = 0 then 501 + n % 499 else 1 + n % 499 end,
          title, 'item-' || n, text, 'article', case when n % 10 < 7 then 'public' when n % 10 < 9 then 'members' else 'private' end,
          case when n % 20 = 8 then 'premium' end, timestamptz '2026-01-01' + n * interval '1 minute', title, text, left(text, 20)
     from generate_series(${first}, ${last}) n,
          lateral (select 'chart ' || md5(n::text) || case when n % 4 = 1 then ' tide' else '' end as title,
                          'line of ' || md5((n * 7)::text) || case when n % 2 = 0 then ' wave' else '' end
                            || case when n % 1000 = 3 then ' kelp' else '' end as text) words`;

const member: Caller = {
  userId: 900_000,
  platformId: PLATFORM,
  role: 'free',
  pending: false,
  banned: false,
  sessionId: '',
  kind: 'otp',
};
const now = new Clock().now();
const searchOf = (q: string, more: Partial<Search> = {}): Search => ({
  viewer: null,
  platformId: PLATFORM,
  q,
  limit: 20,
  now,
  ...more,
});

async function found(search: Search, bounds?: SearchBounds): Promise<number[]> {
  const statement = searchStatement(search, bounds);
  return statement ? (await db.rows<{ id: number }>(statement)).map(({ id }) => id) : [];
}

const VARIANTS: [string, Partial<Search>][] = [
  ['a visitor', {}],
  ['a member', { viewer: member }],
  ['an admin', { viewer: { ...member, role: 'admin' } }],
  ['a small platform', { platformId: SMALL }],
  ['all platforms', { platformId: null }],
];

describe.each(VARIANTS)('the search of %s', (_, variant) => {
  it.each(['kelp', 'tide', 'wave', 'ishmael', 'chart wave', 'of a tide', 'ti', 'k', 'zz', 'ti wa', 'ναυ'])(
    'for %s reads no table from end to end',
    async (q) => {
      const statement = searchStatement(searchOf(q, variant));
      const plan = await db.rowsUnder<{ 'QUERY PLAN': string }>(SEARCH_SETTINGS, sql`explain ${statement}`);
      const lines = plan.map((row) => row['QUERY PLAN']);
      expect(lines.filter((line) => /Seq Scan on contents/.test(line))).toEqual([]);
      expect(lines.join('\n')).toMatch(/contents_(titleKey|wordStarts)/);
    },
  );
});

/** What the search means, with neither an index nor a bound. */
async function meant(word: string, from: string): Promise<number[]> {
  const rows = await opened.dataSource.query<{ id: number }[]>(
    `select c.id from contents c join users u on u.id = c."UserId",
            lateral (select case when c."titleKey" like $1 then 1 when u."nameKey" like $1 then 2
              when (case when c.visibility = 'members' then c."teaserKey" else c."textKey" end) like $1 then 3 end as rank) r
      where ${from} and c.visibility in ('public', 'members') and rank is not null
      order by rank, c."createdAt" desc, c.id desc limit 20`,
    [`%${word}%`],
  );
  return rows.map(({ id }) => id);
}

it('runs four at a time, lets 32 wait and tells the next when to come back', async () => {
  const repository = new ContentSearchRepository(db, new Clock());
  const searches = Array.from({ length: 37 }, () => repository.search(null, PLATFORM, 'kelp', 20, 1e9));
  const refused = searches.pop();
  await expect(refused).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: 1 });
  for (const { rows } of await Promise.all(searches)) expect(rows).toHaveLength(20);
  expect((await repository.search(null, PLATFORM, 'kelp', 3, 1e9)).rows).toHaveLength(3);
});

describe('the order is the same whether the matches are sorted or walked', () => {
  it.each<[string, SearchBounds]>([
    ['sorted', { few: 30_000, newest: 1 }],
    ['walked', { few: 1, newest: 30_000 }],
    ['walked and then sorted', { few: 1, newest: 10 }],
    ['as usual', { few: 2000, newest: 20_000 }],
  ])('%s', async (_, bounds) => {
    for (const word of ['kelp', 'tide', 'wave', 'ishmael', 'c4c', 'none of it']) {
      const expected = await meant(word, 'c."PlatformId" = 1');
      expect([word, await found(searchOf(word), bounds)]).toEqual([word, expected]);
    }
    expect(await found(searchOf('kelp'), bounds)).toHaveLength(20);
    expect(await found(searchOf('wave', { platformId: SMALL }), bounds)).toEqual(
      await meant('wave', 'c."PlatformId" = 2'),
    );
  });
});

it.each([
  ['', []],
  ['a', ['a']],
  ['ab abc', ['a', 'ab']],
  ['(beta) "x"', ['(', '(b', 'b', 'be', '"', '"x', 'x', 'x"']],
  ["o'brien half-way", ['o', "o'", 'h', 'ha']],
  ['航海图 🏄🏄 خريطة', ['航', '航海', '🏄', '🏄🏄', 'خ', 'خر']],
  [`' \\ :* &`, ["'", '\\', ':', ':*', '&']],
])('words of %j begin with what the search finds them by', async (key, expected) => {
  const row = await db.row<{ starts: string[] }>(sql`select word_starts('', ${key}) as starts`);
  expect(new Set(row?.starts)).toEqual(new Set(expected));
});
