import { gunzipSync } from 'node:zlib';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let second: TestApp;
let world: World;
let group: { id: number };
let keyword: { id: number };
let item: { id: number; title: string };
let collection: { id: number };

const homepage = (): string => `/api/collection/${world.platformId()}`;
const read = (url = homepage(), headers = {}): Promise<Answer> => test.client().get(url, headers);
const elsewhere = (url = homepage()): Promise<Answer> => second.client().get(url);
/** The statements of one read; that of the stamp comes first. */
const statements = (url = homepage()): Promise<string[]> => test.queriesOf(() => read(url));
const execute = (text: string, ...values: unknown[]): Promise<unknown> =>
  test.db.dataSource.query(text, values);

beforeAll(async () => {
  test = await TestApp.start();
  second = await test.another();
  world = await World.create(test);
  group = await world.group({ visibility: 'public', name: 'Sailors' });
  keyword = (await world.as('creator').post('/api/keyword', { title: 'Boats' })).body[0];
  item = await world.content({ title: 'Knots', GroupIds: [group.id], KeywordIds: [keyword.id] });
  const saved = await world
    .as('admin')
    .post('/api/collection', { name: 'Shelf', ContentIds: [item.id], GroupIds: [] });
  collection = saved.body[0];
});
afterAll(async () => {
  await second.stop();
  await test.stop();
});
afterEach(() => test.clock.reset());

describe('an anonymous read', () => {
  it('is answered from memory when it is repeated, after one look at the stamp', async () => {
    const first = await read();
    expect(first.body).toMatchObject([{ name: 'Shelf', Contents: [{ title: 'Knots' }] }]);
    const sql = await statements();
    expect(sql).toHaveLength(1);
    expect(sql[0]).toContain('platform_stamps');
    expect((await read()).text).toBe(first.text);
  });

  it('says how it may be kept, and is 304 without a body to those who have it', async () => {
    const { headers } = await read();
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers.vary).toContain('Authorization, Cookie, token, Accept-Encoding');
    const { etag } = headers as { etag: string };
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = await read(homepage(), { 'if-none-match': known });
      expect(again).toMatchObject({ status: 304, text: '', headers: { etag } });
      expect(again.headers['content-length']).toBeUndefined();
    }
    expect((await read(homepage(), { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is the same for HEAD, without a body', async () => {
    const { headers } = await read();
    const head = (known: string): Promise<Answer> =>
      test.client().request('HEAD', homepage(), undefined, { 'if-none-match': known });
    const { etag } = headers as { etag: string };
    expect(await head('"other"')).toMatchObject({ status: 200, text: '', headers: { etag } });
    expect(await head(etag)).toMatchObject({ status: 304, text: '', headers: { etag } });
  });

  it('is compressed for who accepts it', async () => {
    await execute(`update contents set description = repeat('text ', 500) where id = $1`, item.id);
    const url = homepage();
    const plain = await read();
    const packed = await test.app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.text);
    const refused = await test.app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
    const known = { 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers.etag) };
    const unchanged = await test.app.inject({ url, headers: known });
    expect(unchanged).toMatchObject({ statusCode: 304, payload: '' });
    expect(unchanged.headers['content-encoding']).toBeUndefined();
  });

  it('of many at once that find nothing kept, one asks the database', async () => {
    await execute(`update contents set title = 'Hitches' where id = $1`, item.id);
    const sql = await test.queriesOf(() => Promise.all(Array.from({ length: 20 }, () => read())));
    expect(sql.filter((text) => text.includes('collection_contents'))).toHaveLength(1);
  });

  it('never keeps a refusal', async () => {
    expect((await read('/api/collection/0')).status).toBe(404);
    expect((await read(`${homepage()}?limit=none`)).status).toBe(400);
    expect((await read(`${homepage()}?limit=none`)).headers.etag).toBeUndefined();
  });
});

describe('whoever sends a token', () => {
  it('is answered from the database, and nobody may keep it', async () => {
    await read();
    const sql = await test.queriesOf(() => world.as('free').get(homepage()));
    expect(sql.some((text) => text.includes('collection_contents'))).toBe(true);
    const { headers } = await world.as('free').get(homepage(), { 'if-none-match': '*' });
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers.etag).toBeUndefined();
    expect((await world.as('free').get('/api/user/me')).headers['cache-control']).toBe('private, no-store');
  });

  it('sees more than what is kept for others, and leaves nothing of it behind', async () => {
    const secret = await world.content({ title: 'Secret', visibility: 'private', GroupIds: [group.id] });
    const ContentIds = [item.id, secret.id];
    await world.as('admin').post('/api/collection', { id: collection.id, ContentIds });
    const titles = ({ body }: Answer): string[] =>
      body[0].Contents.map(({ title }: { title: string }) => title);
    expect(titles(await world.as('admin').get(homepage()))).toContain('Secret');
    expect(titles(await read())).not.toContain('Secret');
    expect(titles(await world.as('admin').get(homepage()))).toContain('Secret');
    // A token that is no good answers as anonymous on public reads.
    const bad = await test.client({ authorization: 'Bearer none' }).get(homepage());
    expect(bad).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-store' } });
    expect(titles(bad)).not.toContain('Secret');
  });
});

describe('a write is seen by the next read, in every process', () => {
  const writes: [string, () => Promise<unknown>, string][] = [
    ['an item', () => world.as('admin').post('/api/content', { id: item.id, title: 'Splices' }), 'Splices'],
    [
      'a collection',
      () => world.as('admin').post('/api/collection', { id: collection.id, name: 'Rack' }),
      'Rack',
    ],
    ['a group', () => world.as('admin').post('/api/group', { id: group.id, name: 'Rowers' }), 'Rowers'],
    [
      'a keyword',
      () => world.as('creator').post('/api/keyword', { id: keyword.id, title: 'Canoes' }),
      'Canoes',
    ],
    [
      'a name',
      () => world.as('creator').post('/api/user', { id: world.user('creator').id, name: 'Ada' }),
      '"Ada"',
    ],
    ['the platform', () => world.as('admin').post('/api/platform', { description: 'Ahoy' }), 'Ahoy'],
    [
      'what an operator does',
      () => execute(`update users set name = 'Bee' where id = $1`, world.user('creator').id),
      '"Bee"',
    ],
    [
      'an ad',
      () =>
        world.as('admin').post('/api/ad', {
          title: 'Sail loft',
          linkUrl: 'https://example.org',
          placement: 'collection',
          status: 'active',
        }),
      'Sail loft',
    ],
    [
      'an ad that changes',
      async () => {
        const { body } = await world.as('admin').get('/api/admin/ads');
        await world.as('admin').post('/api/ad', { id: body.items[0].id, title: 'Rope works' });
      },
      'Rope works',
    ],
  ];
  it.each(writes)('%s', async (_what, write, seen) => {
    for (const answer of [await read(), await elsewhere()]) expect(answer.text).not.toContain(seen);
    expect(await statements()).toHaveLength(1);
    await write();
    expect((await elsewhere()).text).toContain(seen);
    const { text, headers } = await read();
    expect(text).toContain(seen);
    expect((await elsewhere()).headers.etag).toBe(headers.etag);
  });

  it('a setting', async () => {
    const member = await world.content({ title: 'Members only', visibility: 'members' });
    await world.as('admin').post('/api/collection', { id: collection.id, ContentIds: [item.id, member.id] });
    expect((await read()).text).toContain('Members only');
    await world.as('admin').post(`/api/platform/${world.platformId()}/settings`, { showTeasers: false });
    for (const answer of [await read(), await elsewhere()]) expect(answer.text).not.toContain('Members only');
  });

  it('a deletion of an item', async () => {
    const gone = await world.content({ title: 'Ephemeral' });
    await world.as('admin').post('/api/collection', { id: collection.id, ContentIds: [item.id, gone.id] });
    for (const answer of [await read(), await elsewhere()]) expect(answer.text).toContain('Ephemeral');
    await world.as('admin').delete(`/api/content/${gone.id}`);
    for (const answer of [await elsewhere(), await read()]) expect(answer.text).not.toContain('Ephemeral');
  });

  it('but not what another platform does, nor comments, reactions and views', async () => {
    await read();
    await world.content({ title: 'Elsewhere' }, 'B');
    await world.comment(item.id);
    await world.as('free').post(`/api/content/${item.id}/reactions`, { emoji: 'heart' });
    await world.as('free').post(`/api/content/${item.id}/view`, {});
    expect(await statements()).toHaveLength(1);
  });

  it('the counts of comments and views follow within a minute', async () => {
    const count = async (): Promise<number> => (await read()).body[0].Contents[0].commentCount;
    const before = await count();
    await world.comment(item.id);
    expect(await count()).toBe(before);
    test.clock.advance(60);
    expect(await count()).toBeGreaterThan(before);
  });
});

describe('nothing is kept past the instant at which something appears or disappears', () => {
  it.each([
    ['an item is published', 'publishedDate', 'contents', false, true],
    ['an item expires', 'expireDate', 'contents', true, false],
    ['a collection is published', 'publishedDate', 'collections', false, true],
    ['a collection expires', 'expireDate', 'collections', true, false],
  ])('%s', async (_what, column, table, before, after) => {
    const { id } = await world.content({ title: 'Timely' });
    const saved = await world.as('admin').post('/api/collection', { name: 'Timely shelf', ContentIds: [id] });
    const target = table === 'contents' ? id : saved.body[0].id;
    const soon = new Date(Date.now() + 30_000);
    await execute(`update ${table} set "${column}" = $2 where id = $1`, target, soon);
    const shown = async (): Promise<boolean> => {
      const { body } = await read();
      return body.some(({ Contents }: { Contents: { id: number }[] }) =>
        Contents.some((one) => one.id === id),
      );
    };
    expect(await shown()).toBe(before);
    expect(await statements()).toHaveLength(1);
    test.clock.advance(31);
    expect(await shown()).toBe(after);
    await world.as('admin').delete(`/api/content/${id}`);
  });
});
