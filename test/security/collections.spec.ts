import { PlatformsService } from '../../src/platforms/platforms.service';
import { World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

/* The attacks on collections, by their numbers in the threat list. */

let test: TestApp;
let world: World;
let gate: { id: number; name: string };
let ids: Record<string, number>;

const SECRET = 'sesame-behind-the-gate';
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const create = async (values: object, platform: 'A' | 'B' = 'A'): Promise<any> => {
  const { status, body } = await world.as('creator', platform).post('/api/collection', values);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body[0];
};

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  gate = await world.group({ name: 'Inner circle', visibility: 'hidden' });
  const secret = {
    description: `<p>${'x'.repeat(200)}${SECRET}</p>`,
    contentURI: `https://example.org/${SECRET}`,
  };
  const items = [
    await world.content({ ...secret, title: `${SECRET} private`, visibility: 'private' }),
    await world.content({ ...secret, title: `${SECRET} hidden`, visibility: 'hidden' }),
    await world.content({ ...secret, title: `${SECRET} future`, publishedDate: '2999-01-01' }),
    await world.content({ ...secret, title: `${SECRET} expired`, expireDate: '2020-01-01' }),
    await world.content({ ...secret, title: 'teaser', visibility: 'members' }),
    await world.content({ ...secret, title: `${SECRET} deleted` }),
  ];
  ids = {
    open: (await create({ name: 'Open', ContentIds: items.map(({ id }) => id) })).id,
    gated: (await create({ name: `${SECRET} gated`, slug: 'gated', GroupIds: [gate.id] })).id,
    future: (await create({ name: `${SECRET} future`, slug: 'future', publishedDate: '2999-01-01' })).id,
    expired: (await create({ name: `${SECRET} expired`, slug: 'expired', expireDate: '2020-01-01' })).id,
    foreign: (await create({ name: `${SECRET} foreign`, slug: 'foreign' }, 'B')).id,
  };
  await world.as('creator').delete(`/api/content/${items.at(-1)?.id}`);
});
afterAll(() => test.stop());

const publicReads = (): string[] => [
  `/api/collection/${world.platformId()}`,
  `/api/collection/public/${world.platformId()}`,
  ...['open', 'gated', 'future', 'expired', 'foreign'].flatMap((slug) => [
    `/api/collection-by-slug/${slug}/${world.platformId()}`,
    `/api/collection/${slug === 'foreign' ? 0 : ids[slug]}/public`,
  ]),
];

describe('leaks', () => {
  it('K1 no anonymous read shows a byte of what is private, gated, unpublished, expired or deleted', async () => {
    for (const url of publicReads()) {
      const { text, headers } = await world.anonymous().get(url);
      expect([url, text.includes(SECRET), JSON.stringify(headers).includes(SECRET)]).toEqual([
        url,
        false,
        false,
      ]);
    }
  });

  it('K2 showHidden shows what is hidden, and nothing else', async () => {
    const { body, text } = await world
      .anonymous()
      .get(`/api/collection/${world.platformId()}?showHidden=true`);
    expect(body.flatMap(({ Contents }: any) => Contents.map(({ title }: any) => title)).toSorted()).toEqual([
      `${SECRET} hidden`,
      'teaser',
    ]);
    expect(body.map(({ name }: any) => name)).toEqual(['Open']);
    expect(text).not.toMatch(/private|future|expired|deleted/);
  });

  it('K3 contentTotal, limits and the search of lists tell nothing of it either', async () => {
    const { body } = await world
      .anonymous()
      .get(`/api/collection-by-slug/open/${world.platformId()}?limit=1`);
    expect([body.Contents.length, body.contentTotal]).toEqual([1, 1]);
    const list = await world
      .anonymous()
      .get(`/api/collection/public/${world.platformId()}?searchTerm=sesame`);
    expect([list.body.items, list.body.totalItems]).toEqual([[], 0]);
  });

  it('K4 a collection that may not be known of is answered as one that is not there', async () => {
    const said = ({ status, body }: Answer): unknown => [status, body.message ?? body.error.message];
    const bySlug = (slug: string): Promise<Answer> =>
      world.anonymous().get(`/api/collection-by-slug/${slug}/${world.platformId()}`);
    const inPublic = (id = 2_147_483_647): Promise<Answer> =>
      world.anonymous().get(`/api/collection/${id}/public`);
    const byId = (id = 2_147_483_647): Promise<Answer> => world.as('free').get(`/api/collection-by-id/${id}`);
    for (const slug of ['gated', 'future', 'expired']) {
      expect(said(await inPublic(ids[slug]))).toEqual(said(await inPublic()));
    }
    for (const slug of ['gated', 'future', 'expired', 'foreign']) {
      expect(said(await bySlug(slug))).toEqual(said(await bySlug('never-was')));
      expect(said(await byId(ids[slug]))).toEqual(said(await byId()));
    }
  });

  it('K5 neither the tokens of the platform nor e-mail addresses leave with collections', async () => {
    await query(
      `update platforms set "premiumToken" = 'gold-code', "basicToken" = 'silver-code' where id = $1`,
      [world.platformId()],
    );
    for (const client of [world.anonymous(), world.as('admin')]) {
      for (const url of [...publicReads(), `/api/collection/${world.platformId()}?showHidden=true`]) {
        expect((await client.get(url)).text).not.toMatch(/gold-code|silver-code|@people\.test|password/i);
      }
    }
  });

  it('K6 who may not know of a group learns nothing of it from collections', async () => {
    const { text } = await world.as('free').get(`/api/collection-by-id/${ids.open}`);
    expect(text).not.toMatch(/GroupIds|ContentIds|Inner circle/);
    expect((await world.anonymous().get(`/api/collection/${world.platformId()}`)).text).not.toMatch(
      /GroupIds|ContentIds|Inner circle/,
    );
  });
});

describe('other platforms', () => {
  it('K7 an admin of one is a visitor on the other', async () => {
    const theirs = world.as('admin', 'B');
    const name = 'Mine now';
    const before = await query('select * from collections order by id');
    for (const [answer, status] of [
      [await theirs.get(`/api/collection-by-id/${ids.open}`), 404],
      [await theirs.delete(`/api/collection-by-id/${ids.open}`), 404],
      [await theirs.post('/api/collections/reorder', { collectionIds: [ids.open] }), 404],
      [await theirs.post('/api/collection', { id: ids.open, name }), 403],
      [await theirs.post('/api/collection', { name, PlatformId: world.platformId() }), 403],
      [await theirs.post('/api/collection', { name, GroupIds: [gate.id] }), 400],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain(SECRET);
    }
    expect(await query('select * from collections order by id')).toEqual(before);
    const lists = await theirs.get('/api/admin/collections');
    expect(lists.body.items.map(({ id }: any) => id)).toEqual([ids.foreign]);
    const mine = await theirs.get(`/api/admin/collections?PlatformId=${world.platformId()}`);
    expect(mine.body.items.map(({ id }: any) => id)).toEqual([ids.foreign]);
    expect((await theirs.get('/api/collection-options')).body).toHaveLength(1);
    const shown = await theirs.get(`/api/collection-by-slug/open/${world.platformId()}`);
    expect(shown.text).not.toContain(SECRET);
  });
});

describe('SQL and words of clients', () => {
  const INJECTIONS = [
    `'`,
    `' or '1'='1`,
    `'; drop table collections; --`,
    `\\' union select * from users --`,
    `%' escape '`,
    `$1`,
    '${1}',
    'a'.repeat(200),
    '((((((((((a+)+)+)+)+)+)+)+)+)$',
    '\u202e\ufeff\u0301',
  ];

  it('K8 sort takes only what is listed', async () => {
    for (const sort of [
      'id:asc',
      'name',
      'name:ASC',
      'name:asc;',
      'name:asc,id:desc',
      '"nameKey":asc',
      'searchKey:asc',
      'position:asc; drop table collections',
      '(select 1):asc',
      '__proto__:asc',
      'constructor:asc',
      '',
    ]) {
      for (const [client, path] of lists()) {
        const { status, body } = await client.get(`${path}?sort=${encodeURIComponent(sort)}`);
        expect([sort, status, body.error?.details?.[0].field]).toEqual([sort, 400, 'sort']);
      }
    }
  });

  it('K9 filters take only what is listed, and words stand for themselves', async () => {
    for (const filters of [
      'name:Open',
      'PlatformId:2',
      'gateClosed:true',
      '{"__proto__":{"UserId":1}}',
      '{"constructor":1}',
      '{"UserId":{"$gt":0}}',
      '{"collectionType":["default"]}',
      '{"collectionType":{"a":1}}',
      '{"collectionType":"\\u0000"}',
      '{"collectionType":"\\ud800"}',
      'UserId:1 or 1=1',
      '[1]',
      '{',
    ]) {
      for (const [client, path] of lists()) {
        const { status, body } = await client.get(`${path}?filters=${encodeURIComponent(filters)}`);
        expect([filters, status, body.error?.details?.[0].field]).toEqual([filters, 400, 'filters']);
      }
    }
    for (const word of INJECTIONS) {
      for (const [client, path] of lists()) {
        const { status, body } = await client.get(
          `${path}?filters=${encodeURIComponent(JSON.stringify({ collectionType: word }))}`,
        );
        expect([word, status, body.totalItems]).toEqual([word, 200, 0]);
      }
    }
    const published = await world.anonymous().get(`${publicList()}?filters=published:false`);
    expect(published.status).toBe(400);
  });

  it('K10 search terms and slugs stand for themselves', async () => {
    for (const word of INJECTIONS) {
      for (const [client, path] of lists()) {
        const { status } = await client.get(`${path}?searchTerm=${encodeURIComponent(word)}`);
        expect([word, status]).toEqual([word, 200]);
      }
      const { status, body } = await world
        .anonymous()
        .get(`/api/collection-by-slug/${encodeURIComponent(word)}/${world.platformId()}`);
      expect([word, status, body]).toEqual([word, 404, { message: expect.any(String) }]);
    }
    expect((await query('select count(*)::int as n from collections'))[0].n).toBe(5);
  });

  it('K11 markup is sanitised before it is stored', async () => {
    const { description } = await create({
      name: '<img src=x onerror=alert(1)>',
      description:
        '<p>a</p><script>x</script><img src="https://example.org/a.png" onerror="x"><a href="javascript:x">b</a>',
    });
    expect(description).not.toMatch(/script|onerror/);
    await query(`delete from collections where name like '<img%'`);
  });
});

describe('routes and numbers', () => {
  it('K12 literals win, and what is no number is 400', async () => {
    for (const path of [
      '/api/collection/abc',
      '/api/collection/public',
      '/api/collection/public/abc',
      '/api/collection/public/public',
      '/api/collection/abc/public',
      '/api/collection/1.5/public',
      '/api/collection/-1',
      '/api/collection/0x1',
      '/api/collection/1%00',
      '/api/collection/%F0%9F%90%B3',
      '/api/collection-by-slug/open/abc',
    ]) {
      const { status, body } = await world.anonymous().get(path);
      expect([path, status, body.error?.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
    }
    for (const path of [
      '/api/collection/2147483648',
      '/api/collection/2147483648/public',
      '/api/collection/0',
    ]) {
      expect([path, (await world.anonymous().get(path)).status]).toEqual([path, 404]);
    }
    const far = await world.anonymous().get('/api/collection-by-slug/open/2147483648');
    expect([far.status, far.body]).toEqual([404, { message: expect.any(String) }]);
    for (const path of ['/api/collections/reorder', '/api/collection/1/private', '/api/collection//public']) {
      expect([path, (await world.anonymous().get(path)).status]).toEqual([path, 404]);
    }
    const listed = await world.anonymous().get(publicList());
    expect(listed.body.items).toEqual(expect.any(Array));
    const shown = await world.anonymous().get(`/api/collection/${ids.open}/public`);
    expect(shown.body.id).toBe(ids.open);
  });

  it('K13 deep and huge pages cost no more than others', async () => {
    for (const [client, path] of lists()) {
      const deep = await client.get(`${path}?currentPage=2147483647&itemsPerPage=2147483647`);
      expect([deep.status, deep.body.items, deep.body.itemsPerPage]).toEqual([200, [], 100]);
      for (const page of [
        'currentPage=0',
        'currentPage=-1',
        'itemsPerPage=1e3',
        'itemsPerPage=1&itemsPerPage=2',
      ]) {
        expect([page, (await client.get(`${path}?${page}`)).status]).toEqual([page, 400]);
      }
    }
  });

  it('K14 of orders that contradict each other one stands whole, and nobody is answered a fault', async () => {
    const listed = [ids.open, ids.gated, ids.future];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.as('creator').post('/api/collections/reorder', {
          collectionIds: index % 2 ? listed : listed.toReversed(),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const rows = await query(`select id from collections where id = any($1) order by position, id`, [listed]);
    expect([listed, listed.toReversed()]).toContainEqual(rows.map(({ id }) => id));
  });

  it('K15 a fault is answered {error} without its cause', async () => {
    const broken = jest
      .spyOn(test.get(PlatformsService), 'embedded')
      .mockRejectedValue(new Error(`column "${SECRET}" does not exist`));
    const { status, body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    broken.mockRestore();
    expect([status, body]).toEqual([500, { error: 'Internal server error' }]);
  });
});

const publicList = (): string => `/api/collection/public/${world.platformId()}`;
const lists = (): [Client, string][] => [
  [world.as('admin'), '/api/admin/collections'],
  [world.anonymous(), publicList()],
];
