import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

const [COLLECTIONS, ITEMS] = [50, 200];

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  for (const platform of ['A', 'B'] as const) {
    const creator = world.user('creator', platform).id;
    await query(
      `insert into contents ("PlatformId", "UserId", title, slug, description, type, visibility, "titleKey", "textKey", "teaserKey")
       select $1, $2, 'Item ' || n, 'item-' || n, '<p>Its text.</p>', 'article',
              (array['public', 'members', 'public', 'hidden'])[1 + n % 4], 'item ' || n, 'its text.', 'its text.'
         from generate_series(1, $3) n`,
      [world.platformId(platform), creator, ITEMS],
    );
    await query(
      `with made as (
         insert into collections ("PlatformId", "UserId", name, "nameKey", "searchKey", slug, position, "sortPreference")
         select $1, $2, 'Collection ' || n, 'collection ' || n, 'collection ' || n, 'collection-' || n, n,
                (array['manual', 'most popular', 'alphabetical', 'recent'])[1 + n % 4]
           from generate_series(1, $3) n returning id)
       insert into collection_contents ("PlatformId", "CollectionId", "ContentId", position)
       select $1, made.id, c.id, c.id from made cross join contents c where c."PlatformId" = $1`,
      [world.platformId(platform), creator, platform === 'A' ? COLLECTIONS : 1],
    );
  }
  await query('analyze');
});
afterAll(() => test.stop());

const READS: [string, (platform: 'A' | 'B') => string][] = [
  ['by platform', (platform) => `/api/collection/${world.platformId(platform)}?showHidden=true`],
  ['by slug', (platform) => `/api/collection-by-slug/collection-1/${world.platformId(platform)}`],
  ['the public list', (platform) => `/api/collection/public/${world.platformId(platform)}?itemsPerPage=100`],
];

describe('50 collections of 200 items', () => {
  it.each(READS)('cost %s as many statements as one', async (name, path) => {
    // One of them says whether what is kept still holds.
    const budget = { 'by platform': 5, 'by slug': 2, 'the public list': 3 }[name];
    for (const platform of ['A', 'B'] as const) {
      // How long that may be is asked once.
      await world.anonymous().get(`/api/keywords?PlatformId=${world.platformId(platform)}`);
      const cost = await test.queriesOf(async () => {
        expect((await world.anonymous().get(path(platform))).status).toBe(200);
      });
      expect(cost).toHaveLength(budget ?? 0);
    }
  });

  it('cost the dashboard, the options and a read by id no more either', async () => {
    const [{ id }] = await query(`select min(id) as id from collections where "PlatformId" = $1`, [
      world.platformId(),
    ]);
    // One more than the reads themselves: who calls.
    for (const [path, budget] of [
      ['/api/admin/collections?itemsPerPage=100', 3],
      ['/api/collection-options', 2],
      [`/api/collection-by-id/${id}?showFuture=true`, 2],
      [`/api/collection/${id}/public`, 3],
    ] as const) {
      const cost = await test.queriesOf(() => world.as('admin').get(path));
      expect([path, cost.length]).toEqual([path, budget]);
    }
  });

  it('answers all of them, compressed for whoever takes it', async () => {
    const url = `/api/collection/${world.platformId()}?showHidden=true`;
    const { body, text } = await world.anonymous().get(url);
    expect(body).toHaveLength(COLLECTIONS);
    for (const { Contents } of body) expect(Contents).toHaveLength(ITEMS);
    const packed = await test.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.rawPayload.length).toBeLessThan(text.length / 5);
  });

  it('are packed for a member as for a visitor, with no tag and for nobody else to keep', async () => {
    const url = `/api/collection/${world.platformId()}?contentLimit=5`;
    const authorization = `Bearer ${world.platforms.A.tokens.free}`;
    const read = (encoding: string) =>
      test.app.inject({ url, headers: { authorization, 'accept-encoding': encoding } });
    const [packed, plain] = [await read('gzip'), await read('identity')];
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'private, no-store',
    });
    expect(packed.headers.etag).toBeUndefined();
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json());
  });

  it('are made for few at a time, and who finds too many waiting is told to come again', async () => {
    const headers = { authorization: `Bearer ${world.platforms.A.tokens.free}` };
    const url = `/api/collection/${world.platformId()}?showHidden=true`;
    const answers = await Promise.all(Array.from({ length: 40 }, () => test.app.inject({ url, headers })));
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length + refused.length).toBe(40);
    expect(refused.length).toBeGreaterThan(0);
    // Two run and sixteen wait, and both places may still rest from what was made before.
    expect(refused.length).toBeLessThanOrEqual(24);
    for (const { headers: said } of refused) expect(said['retry-after']).toBe('1');
  }, 90_000);

  it('leave nothing behind in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const url = `/api/collection/${world.platformId()}?contentLimit=5`;
    // What is kept for anonymous readers would spare the work.
    const headers = { authorization: `Bearer ${world.platforms.A.tokens.free}` };
    const call = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        expect((await test.app.inject({ url, headers })).statusCode).toBe(200);
      }
    };
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    await call(20);
    const before = heap();
    await call(100);
    // One answer of 250 items kept by each call would be some 20 MB and more.
    expect(heap() - before).toBeLessThan(5_000_000);
  });
});
