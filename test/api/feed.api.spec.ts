import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
beforeEach(() => query('delete from contents'));

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const feed = async (person: Person, search = ''): Promise<any> => {
  const { status, body } = await world.as(person).get(`/api/feed?${search}`);
  expect(status).toBe(200);
  return body;
};
const titles = ({ items }: any): string[] => items.map(({ title }: any) => title);
/** Articles of the creator, made in this order at these times. */
const made = async (...items: { title: string; at: string; publishedDate?: string }[]): Promise<void> => {
  for (const { title, at, publishedDate } of items) {
    const { id } = await world.content({ title, visibility: 'members', publishedDate });
    await query(`update contents set "createdAt" = $2 where id = $1`, [id, at]);
  }
};
const walk = async (person: Person, limit: number, between?: () => Promise<unknown>): Promise<string[]> => {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const page = await feed(person, `limit=${limit}${cursor && `&cursor=${cursor}`}`);
    seen.push(...titles(page));
    if (page.nextCursor === null) return seen;
    expect(page.items).toHaveLength(limit);
    cursor = page.nextCursor;
    await between?.();
  }
};

it('shows posts and other content as cards, newest first, by the date of publication if there is one', async () => {
  await made(
    { title: 'Second', at: '2026-01-02T00:00:00Z' },
    { title: 'Oldest', at: '2026-01-01T00:00:00Z' },
    { title: 'Published later', at: '2025-01-01T00:00:00Z', publishedDate: '2026-01-03T00:00:00Z' },
    { title: 'Published before', at: '2026-01-09T00:00:00Z', publishedDate: '2026-01-01T12:00:00Z' },
  );
  const [post] = (await world.as('free').post('/api/post', { message: 'A post' })).body;
  const { items, nextCursor } = await feed('basic');
  expect(titles({ items })).toEqual(['A post', 'Published later', 'Second', 'Published before', 'Oldest']);
  expect(nextCursor).toBeNull();
  const { body: full } = await world.as('basic').get(`/api/content/${post.id}`);
  const { contentURI: _, video: __, options: ___, ...card } = full;
  expect(items[0]).toEqual(card);
});

it('goes on by cursor where items share an instant, and ends', async () => {
  await made(...Array.from({ length: 7 }, (_, at) => ({ title: `T${at}`, at: '2026-01-01T00:00:00.123Z' })));
  const all = ['T6', 'T5', 'T4', 'T3', 'T2', 'T1', 'T0'];
  for (const limit of [1, 2, 3, 6, 7, 8]) expect([limit, await walk('free', limit)]).toEqual([limit, all]);
});

it.each(['0100-01-01T00:00:00+08:00', '9999-12-31T23:59:59.999Z'])(
  'goes on after %s',
  async (publishedDate) => {
    await made(...['A', 'B'].map((title) => ({ title, at: '2026-01-01T00:00:00Z', publishedDate })));
    expect(await walk('creator', 1)).toEqual(['B', 'A']);
  },
);

it('is stable while newer items come and read ones go', async () => {
  await made(
    ...Array.from({ length: 6 }, (_, at) => ({ title: `T${at}`, at: `2026-01-0${at + 1}T00:00:00Z` })),
  );
  let more = 0;
  const seen = await walk('free', 2, async () => {
    await world.as('basic').post('/api/post', { message: `New ${++more}` });
    await query(`update contents set "deletedAt" = now() where title = 'T5'`);
  });
  expect(seen).toEqual(['T5', 'T4', 'T3', 'T2', 'T1', 'T0']);
  expect(titles(await feed('free', 'limit=2'))).toEqual(['New 2', 'New 1']);
});

it('holds 25 items, at most 100', async () => {
  await query(
    `insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "titleKey", "textKey", "teaserKey")
     select $1, $2, 'T' || n, 't' || n, 'post', 'members', '', '', '' from generate_series(1, 120) n`,
    [world.platformId(), world.user('creator').id],
  );
  expect((await feed('free')).items).toHaveLength(25);
  expect((await feed('free', 'limit=1000')).items).toHaveLength(100);
});

it('opens what is for the groups of the reader, and shows others a teaser or nothing', async () => {
  const group = await world.group({ visibility: 'hidden', name: 'Crew' });
  await world.join(group.id, 'basic');
  const gate = { GroupIds: [group.id], description: `<p>${'x'.repeat(200)}secret</p>` };
  await world.content({ title: 'Teased', visibility: 'members', ...gate });
  await world.content({ title: 'Private', visibility: 'private', ...gate });
  await world.content({ title: 'Elsewhere', visibility: 'public' }, 'B');
  const member = await feed('basic');
  expect(member.items.map((one: any) => [one.title, one.locked, one.Groups.length])).toEqual([
    ['Private', false, 1],
    ['Teased', false, 1],
  ]);
  const other = await feed('free');
  expect(other.items).toMatchObject([{ title: 'Teased', locked: true, Groups: [] }]);
  expect(JSON.stringify(other)).not.toContain('secret');
});

it('leaves out the unlisted for everybody, its author and staff too', async () => {
  await world.content({ title: 'Unlisted', visibility: 'hidden' });
  await world.content({ title: 'Listed', visibility: 'public' });
  for (const person of ['free', 'creator', 'admin'] as const) {
    expect([person, titles(await feed(person))]).toEqual([person, ['Listed']]);
  }
});

it('costs two statements', async () => {
  await made(...Array.from({ length: 5 }, (_, at) => ({ title: `T${at}`, at: '2026-01-01T00:00:00Z' })));
  expect(await test.queriesOf(() => world.as('free').get('/api/feed'))).toHaveLength(2);
});
