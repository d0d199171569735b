import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

/* Every order has its ties: then the most recent comes first, and of equally recent ones the newest id. */
const ITEMS = {
  b: { day: 3, comments: 7 },
  A: { day: 1, featured: true },
  Ć: { day: 4 },
  d: { day: 2, featured: true, comments: 1 },
  e1: { day: 1, title: 'E', comments: 1 },
  e2: { day: 1, title: 'é', comments: 1 },
  /** Without a publishedDate: its creation counts. */
  new: { title: 'f' },
} as const satisfies Record<string, { day?: number; title?: string; featured?: boolean; comments?: number }>;
type Name = keyof typeof ITEMS;
const MANUAL: Name[] = ['d', 'e2', 'Ć', 'A', 'new', 'b', 'e1'];
const DAY_MS = 24 * 60 * 60 * 1000;
/** Half an hour into tomorrow, by UTC. */
const NOW = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 30 * 60 * 1000);
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);
const ids = {} as Record<Name, number>;
const nameOf = (id: number): string => Object.entries(ids).find((entry) => entry[1] === id)?.[0] ?? '?';

/** Whose views, how many days ago, and how many. */
const VIEWS: [Name, number, number][] = [
  ['d', 0, 3],
  ['d', 29, 4], // the 30th day, today being the first
  ['b', 30, 100],
  ['e1', 1, 5],
  ['A', 1, 5],
];

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  for (const [name, item] of Object.entries(ITEMS)) {
    const {
      day,
      title = name,
      featured = false,
    } = item as { day?: number; title?: string; featured?: boolean };
    const made = await world.content({
      title,
      featured,
      publishedDate: day === undefined ? null : daysAgo(100 - day).toISOString(),
    });
    ids[name as Name] = made.id;
    const { comments = 0 } = item as { comments?: number };
    // Views of all time do not count, nor does what was viewed most long ago.
    await query(
      `update contents set "viewCount" = 1000 - id, "commentCount" = $2, "createdAt" = $3 where id = $1`,
      [made.id, comments, daysAgo(50)],
    );
  }
  for (const [name, days, views] of VIEWS) {
    await query(
      `insert into content_view_days ("PlatformId", "ContentId", day, views) values ($1, $2, $3, $4)`,
      [world.platformId(), ids[name], daysAgo(days).toISOString().slice(0, 10), views],
    );
  }
  test.clock.set(NOW);
});
afterAll(() => test.stop());

const RECENT = 'new Ć b d e2 e1 A';

describe('the order of contents', () => {
  it.each([
    ['most recent first', RECENT],
    ['newest', RECENT],
    ['RECENT', RECENT],
    ['most-recent_first', RECENT],
    ['no such thing', RECENT],
    ['', RECENT],
    ["'; drop table contents; --", RECENT],
    ['oldest first', 'A e1 e2 d b Ć new'],
    ['Oldest_First', 'A e1 e2 d b Ć new'],
    ['alphabetical', 'A b Ć d e2 e1 new'],
    ['  ALPHA-betical ', 'A b Ć d e2 e1 new'],
    ['reverse-alphabetical', 'new e2 e1 d Ć b A'],
    ['manual', MANUAL.join(' ')],
    ['MANUAL', MANUAL.join(' ')],
    ['most popular', 'd e1 A new Ć b e2'],
    ['MostPopular', 'd e1 A new Ć b e2'],
    ['most discussed', 'b d e2 e1 new Ć A'],
    ['featured first', 'd A new Ć b e2 e1'],
  ])('%s', async (sortPreference, order) => {
    const { body } = await world.as('creator').post('/api/collection', {
      name: 'Ordered',
      sortPreference,
      ContentIds: MANUAL.map((name) => ids[name]),
    });
    const [{ id, slug, ...collection }] = body;
    expect(collection.sortPreference).toBe(sortPreference.trim());
    const names = (contents: any[]): string => contents.map((item) => nameOf(item.id)).join(' ');
    const get = async (path: string): Promise<any> => (await world.anonymous().get(path)).body;
    const bySlug = `/api/collection-by-slug/${slug}/${world.platformId()}`;
    expect(names(collection.Contents)).toBe(order);
    expect(names((await get(bySlug)).Contents)).toBe(order);
    const limited = await get(`${bySlug}?limit=2`);
    expect([names(limited.Contents), limited.contentTotal]).toEqual([
      order.split(' ').slice(0, 2).join(' '),
      7,
    ]);
    expect(names((await get(`/api/collection/${id}/public`)).Contents)).toBe(order);
    const byPlatform = `/api/collection/${world.platformId()}`;
    expect(names((await get(byPlatform))[0].Contents)).toBe(order);
    expect(names((await get(`${byPlatform}?contentLimit=3`))[0].Contents)).toBe(
      order.split(' ').slice(0, 3).join(' '),
    );
    await query('delete from collections where id = $1', [id]);
  });
});
