import { InHand } from '#libs/http';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

const MIB = 1024 * 1024;
const [ITEMS, COLLECTIONS] = [24, 3];
const TEXT = `<p>${'x'.repeat(190 * 1024)}</p>`;

let test: TestApp;
let world: World;
let platformId: number;
let collectionId: number;

beforeAll(async () => {
  test = await TestApp.start({ MAX_COLLECTIONS_MIB: '3' });
  world = await World.create(test);
  platformId = world.platformId();
  const ids: number[] = [];
  for (let item = 0; item < ITEMS; item++) {
    ids.push((await world.content({ title: `Item ${item}`, visibility: 'public', description: TEXT })).id);
  }
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    const { body } = await world.as('admin').post('/api/collection', {
      name: `Large ${collection}`,
      ContentIds: ids,
    });
    collectionId = body[0].id;
  }
  const small = await world.content({ title: 'Small', visibility: 'public' });
  await world.as('admin').post('/api/collection', { name: 'Small', ContentIds: [small.id] });
});
afterAll(() => test.stop());

const bySlug = (query = ''): string => `/api/collection-by-slug/large-0/${platformId}${query}`;
const textsOf = (contents: { description: string }[]): Set<string> =>
  new Set(contents.map(({ description }) => description));
const isCut = ({ headers }: Answer): boolean => headers['x-warning'] === 'cut';

it('collections of a platform have fewer items, evenly, and whole texts', async () => {
  const answer = await world.anonymous().get(`/api/collection/${platformId}`);
  expect([answer.status, isCut(answer), answer.text.length < 3 * MIB]).toEqual([200, true, true]);
  const lengths = answer.body.map(({ Contents }: { Contents: unknown[] }) => Contents.length);
  expect(lengths).toEqual([5, 5, 5, 1]);
  const contents = answer.body.slice(0, COLLECTIONS).flatMap((one: { Contents: [] }) => one.Contents);
  expect(textsOf(contents)).toEqual(new Set([TEXT]));
  // Whole texts, and as much of them as there is room for.
  expect(answer.text.length).toBeGreaterThan(2.5 * MIB);
  const few = await world.anonymous().get(`/api/collection/${platformId}?contentLimit=4`);
  expect(isCut(few)).toBe(false);
});

it('says so on kept answers too: repeated, by tag, to HEAD, and to those with a token', async () => {
  const url = `/api/collection/${platformId}`;
  const first = await world.anonymous().get(url);
  const again = await world.anonymous().get(url);
  const tagged = await world.anonymous().get(url, { 'if-none-match': String(first.headers.etag) });
  const head = await world.anonymous().request('HEAD', url);
  const member = await world.as('free').get(url);
  expect([first, again, tagged, head, member].map(({ status }) => status)).toEqual([200, 200, 304, 200, 200]);
  expect([first, again, tagged, head, member].map(isCut)).toEqual([true, true, true, true, true]);
});

it('one collection has fewer items and its total, whichever way it is read', async () => {
  const admin = world.as('admin');
  const saved = await admin.post('/api/collection', { id: collectionId, description: '<p>Saved.</p>' });
  const answers = [
    await world.anonymous().get(bySlug()),
    await world.as('free').get(bySlug()),
    await world.anonymous().get(`/api/collection/${collectionId}/public`),
    await admin.get(`/api/collection-by-id/${collectionId}`),
    { ...saved, body: saved.body[0] },
  ];
  for (const answer of answers) {
    expect([answer.status, isCut(answer), answer.text.length < 3 * MIB]).toEqual([200, true, true]);
    expect([answer.body.contentTotal, answer.body.Contents.length]).toEqual([ITEMS, 16]);
    expect(textsOf(answer.body.Contents)).toEqual(new Set([TEXT]));
  }
  const few = await world.anonymous().get(bySlug('?limit=4'));
  expect([isCut(few), few.body.contentTotal, few.body.Contents.length]).toEqual([false, ITEMS, 4]);
});

it('texts of collections and ads count, and leave room for contents', async () => {
  const description = `<p>${'y'.repeat(190 * 1024)}</p>`;
  for (let collection = 0; collection < 12; collection++) {
    await world.as('admin', 'B').post('/api/collection', { name: `Told ${collection}`, description });
  }
  const first = `/api/collection/${world.platformId('B')}`;
  const { id } = await world.content({ visibility: 'public', description: TEXT }, 'B');
  const [{ id: told } = { id: 0 }] = (await world.anonymous().get(first)).body;
  await world.as('admin', 'B').post('/api/collection', { id: told, ContentIds: [id] });
  const answer = await world.anonymous().get(first);
  expect([answer.status, isCut(answer), answer.text.length < 3 * MIB]).toEqual([200, true, true]);
  expect([answer.body.length, answer.body[0].Contents[0].description]).toEqual([8, TEXT]);
  for (const one of answer.body) expect(one.description).toBe(description);
});

it('teasers count as what they show', async () => {
  await test.db.dataSource.query(
    `update contents set visibility = 'members' where "PlatformId" = $1 and title like 'Item%'`,
    [platformId],
  );
  const answer = await world.anonymous().get(bySlug());
  expect([isCut(answer), answer.body.Contents.length]).toEqual([false, ITEMS]);
  await test.db.dataSource.query(`update contents set visibility = 'public'`);
});

it('pages have all of their items', async () => {
  const lists = [
    `/api/contents?PlatformId=${platformId}&itemsPerPage=100`,
    `/api/content/search?PlatformId=${platformId}&q=item&limit=100`,
  ];
  for (const url of lists) {
    const answer = await world.anonymous().get(url);
    expect([isCut(answer), answer.body.items.length >= ITEMS]).toEqual([false, true]);
  }
  const feed = await world.as('free').get('/api/feed?limit=100');
  expect([isCut(feed), feed.body.items.length, feed.body.nextCursor]).toEqual([false, ITEMS + 1, null]);
});

it('large answers are not even read while there is no room for them, small ones are', async () => {
  const { answers } = test.app.get(InHand, { strict: false });
  const held = answers.hold(127 * MIB);
  try {
    const large = [
      bySlug('?other=1'),
      `/api/contents?PlatformId=${platformId}&itemsPerPage=50&other=1`,
      `/api/collection/${collectionId}/public?other=1`,
    ];
    for (const url of large) {
      const { status, headers, body } = await world.anonymous().get(url);
      expect([url, status, headers['retry-after'], body.error.code]).toEqual([url, 503, '1', 'UNAVAILABLE']);
    }
    expect((await world.anonymous().get(bySlug('?limit=2&other=1'))).status).toBe(200);
  } finally {
    held.release();
  }
  expect((await world.anonymous().get(bySlug('?other=1'))).status).toBe(200);
});

it('a save that cannot be answered is not done', async () => {
  const held = test.app.get(InHand, { strict: false }).answers.hold(127 * MIB);
  const saved = await world.as('admin').post('/api/collection', { id: collectionId, name: 'Renamed' });
  held.release();
  expect(saved.status).toBe(503);
  expect((await world.as('admin').get(`/api/collection-by-id/${collectionId}`)).body.name).toBe('Large 2');
});

it('what an answer takes is known about right', async () => {
  const odd = `<p>${'"quoted" \\ \n 語😀 &amp; '.repeat(2000)}</p>`;
  const group = (await world.as('admin').post('/api/group', { name: 'A group', visibility: 'public' }))
    .body[0];
  const { id } = await world.content({
    title: 'Odd',
    description: odd,
    visibility: 'public',
    GroupIds: [group.id],
    options: { layout: 'wide', list: ['a', 'b'] },
  });
  const { text } = await world.anonymous().get(`/api/content/${id}/public`);
  const [{ bytes }] = await test.db.dataSource.query(`select bytes from contents where id = $1`, [id]);
  expect((bytes + 700) / Buffer.byteLength(text)).toBeCloseTo(1, 1);
});
