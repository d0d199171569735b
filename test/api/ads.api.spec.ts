import type { AdDto, RunningAdDto } from '../../src/ads/dto/ad.dto';
import { type Person, type PlatformName, World } from '../factories/world';
import type { Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
beforeEach(() => query('delete from ads'));
afterEach(() => test.clock.reset());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const AD = { title: 'An ad', linkUrl: 'https://example.org/', placement: 'home', status: 'active' };
async function create(values: object = {}, person: Person = 'creator', platform: PlatformName = 'A') {
  const { status, body } = await world.as(person, platform).post('/api/ad', { ...AD, ...values });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body[0] as AdDto;
}
async function collection(values: object = {}, platform: PlatformName = 'A'): Promise<number> {
  const { body } = await world.as('admin', platform).post('/api/collection', { name: 'C', ...values });
  return body[0].id;
}
async function listed(more = '', client: Client = world.anonymous()): Promise<RunningAdDto[]> {
  const { status, body } = await client.get(`/api/ads?PlatformId=${world.platformId()}&${more}`);
  expect(status).toBe(200);
  return body;
}
const titles = async (more = '', client?: Client): Promise<string[]> =>
  (await listed(more, client)).map(({ title }) => title);
async function tokenOf(id: number): Promise<string> {
  const found = (await listed('limit=50')).find((ad) => ad.id === id);
  return found?.impressionToken ?? '';
}
const counters = async (id: number): Promise<unknown> =>
  (await query(`select impressions, clicks from ads where id = $1`, [id]))[0];

describe('POST /api/ad', () => {
  it('answers the ad with its defaults, and true', async () => {
    const { status, body } = await world.as('creator').post('/api/ad', {
      title: ' Winter storage ',
      linkUrl: 'https://example.org/storage',
      placement: 'home',
    });
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        PlatformId: world.platformId(),
        UserId: world.user('creator').id,
        title: 'Winter storage',
        body: null,
        imageUrl: null,
        linkUrl: 'https://example.org/storage',
        callToAction: null,
        placement: 'home',
        CollectionIds: [],
        roles: [],
        excludeRoles: [],
        startDate: null,
        endDate: null,
        status: 'draft',
        priority: 0,
        impressions: 0,
        clicks: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      true,
    ]);
  });

  it('keeps all that is sent, once', async () => {
    const [one, two] = [await collection(), await collection()];
    const values = {
      title: 'All of it',
      imageUrl: 'https://example.org/a.jpg',
      linkUrl: 'http://example.org/?a=b#c',
      callToAction: 'Book',
      placement: 'collection',
      status: 'paused',
      priority: 100,
      startDate: '2026-05-01T00:00:00.000Z',
      endDate: '2026-05-01T00:00:00.000Z',
    };
    const ad = await create({
      ...values,
      CollectionIds: [two, one, two],
      roles: ['free', 'admin', 'free'],
      excludeRoles: ['creator', 'creator'],
    });
    expect(ad).toMatchObject({
      ...values,
      CollectionIds: [one, two],
      roles: ['free', 'admin'],
      excludeRoles: ['creator'],
    });
  });

  it('changes what is sent and keeps the rest; null clears', async () => {
    const before = await create({
      CollectionIds: [await collection()],
      roles: ['basic'],
      body: 'Text',
      callToAction: 'Go',
      startDate: '2026-05-01T00:00:00.000Z',
      endDate: '2026-06-01T00:00:00.000Z',
      priority: 7,
    });
    const edit = async (values: object, person: Person = 'creator'): Promise<unknown> =>
      (await world.as(person).post('/api/ad', { id: before.id, ...values })).body;
    expect(await edit({ title: 'Renamed' })).toEqual([
      { ...before, title: 'Renamed', updatedAt: expect.any(String) },
      false,
    ]);
    const cleared = { CollectionIds: [], roles: [], body: null, callToAction: null, startDate: null };
    expect(await edit(cleared, 'admin')).toEqual([
      { ...before, ...cleared, title: 'Renamed', updatedAt: expect.any(String) },
      false,
    ]);
  });

  it.each([
    ['<p>Hi <b>you</b></p><script>alert(1)</script>', '<p>Hi <b>you</b></p>'],
    ['<img src=x onerror=alert(1)>text', 'text'],
    ['<a href="javascript:alert(1)" onclick="x">a</a>', expect.not.stringMatching(/javascript|onclick/)],
    ['<p style="x" onmouseover="y">a</p>', '<p>a</p>'],
    ['<h1>a</h1><iframe src="https://example.org"></iframe>', 'a'],
    ['<svg><script>alert(1)</script></svg>', null],
    [
      '<a href="https://example.org">a</a>',
      '<a href="https://example.org" rel="nofollow ugc noopener">a</a>',
    ],
  ])('cleans the body %s', async (body, clean) => {
    expect((await create({ body })).body).toEqual(clean);
  });

  it('reads dates without an offset in the timezone of the platform', async () => {
    await query(`update platforms set timezone = 'Pacific/Auckland' where id = $1`, [world.platformId()]);
    const ad = await create({ startDate: '2026-01-01T13:00:00', endDate: '2026-01-01T00:00:00Z' });
    await query(`update platforms set timezone = 'UTC' where id = $1`, [world.platformId()]);
    expect([ad.startDate, ad.endDate]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  });
});

describe('GET /api/ads', () => {
  it('shows the public fields and a token, to nobody else to keep', async () => {
    const ad = await create({ body: 'Text', imageUrl: 'https://example.org/a.jpg', callToAction: 'Go' });
    const { headers, body } = await world.anonymous().get(`/api/ads?PlatformId=${world.platformId()}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual([
      {
        id: ad.id,
        title: 'An ad',
        body: 'Text',
        imageUrl: 'https://example.org/a.jpg',
        linkUrl: 'https://example.org/',
        callToAction: 'Go',
        placement: 'home',
        priority: 0,
        impressionToken: expect.stringMatching(/^\d{13}\.[\w-]{16}\.[\w-]{43}$/),
      },
    ]);
    expect(await tokenOf(ad.id)).not.toBe(await tokenOf(ad.id));
  });

  it('orders by priority, then id, and takes five unless asked', async () => {
    for (const [title, priority] of Object.entries({ a: 0, b: 9, c: 0, d: 100, e: 9, f: 1 })) {
      await create({ title, priority });
    }
    expect(await titles()).toEqual(['d', 'b', 'e', 'f', 'a']);
    expect(await titles('limit=2')).toEqual(['d', 'b']);
    expect(await titles('limit=50')).toEqual(['d', 'b', 'e', 'f', 'a', 'c']);
  });

  it('keeps placements, states and platforms apart', async () => {
    for (const placement of ['home', 'collection', 'content', 'feed']) {
      await create({ title: placement, placement });
    }
    for (const status of ['draft', 'paused']) await create({ title: status, status });
    await create({ title: 'foreign' }, 'creator', 'B');
    expect(await titles('limit=50')).toEqual(['home', 'collection', 'content', 'feed']);
    for (const placement of ['home', 'collection', 'content', 'feed']) {
      expect(await titles(`placement=${placement}`)).toEqual([placement]);
    }
    expect((await world.as('free', 'B').get('/api/ads')).body).toMatchObject([{ title: 'foreign' }]);
    expect((await world.anonymous().get('/api/ads?PlatformId=2147483647')).body).toEqual([]);
  });

  it('shows each role its own; visitors, pending members and strangers have none', async () => {
    await create({ title: 'all' });
    await create({ title: 'free', roles: ['free'] });
    await create({ title: 'staff', roles: ['admin', 'creator'] });
    await create({ title: 'unpaid', excludeRoles: ['basic', 'premium'] });
    await create({ title: 'none', roles: ['premium'], excludeRoles: ['premium'] });
    const seen = {
      anonymous: ['all', 'unpaid'],
      stranger: ['all', 'unpaid'],
      pending: ['all', 'unpaid'],
      free: ['all', 'free', 'unpaid'],
      banned: ['all', 'free', 'unpaid'],
      basic: ['all'],
      premium: ['all'],
      creator: ['all', 'staff', 'unpaid'],
      admin: ['all', 'staff', 'unpaid'],
    };
    for (const [who, expected] of Object.entries(seen)) {
      const client =
        who === 'anonymous'
          ? world.anonymous()
          : who === 'stranger'
            ? world.as('admin', 'B')
            : world.as(who as Person);
      expect([who, await titles('', client)]).toEqual([who, expected]);
    }
  });

  it('shows an ad from its first to its last instant, both included', async () => {
    const from = '2026-03-01T12:00:00.000Z';
    const to = '2026-03-01T13:00:00.000Z';
    await create({ title: 'both', startDate: from, endDate: to });
    await create({ title: 'from', startDate: from });
    await create({ title: 'to', endDate: to });
    const shelf = await collection();
    await create({ title: 'on it', startDate: from, endDate: to, CollectionIds: [shelf] });
    const embedded = async (): Promise<string[]> => {
      const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
      return body.find(({ id }: { id: number }) => id === shelf).Ads.map((ad: AdDto) => ad.title);
    };
    for (const [at, expected] of Object.entries({
      '2026-03-01T11:59:59.999Z': [['to'], []],
      [from]: [['both', 'from', 'to', 'on it'], ['on it']],
      [to]: [['both', 'from', 'to', 'on it'], ['on it']],
      '2026-03-01T13:00:00.001Z': [['from'], []],
    })) {
      test.clock.set(at);
      expect([at, [await titles(), await embedded()]]).toEqual([at, expected]);
    }
  });

  it('costs one statement, and one more to know the member', async () => {
    const CollectionId = await collection();
    for (let index = 0; index < 6; index++) await create({ CollectionIds: [CollectionId] });
    const cost = async (more: string, client?: Client): Promise<number> =>
      (await test.queriesOf(() => listed(more, client))).length;
    expect([
      await cost('limit=50'),
      await cost(`CollectionId=${CollectionId}`),
      await cost(`CollectionId=${CollectionId}`, world.as('free')),
    ]).toEqual([1, 1, 2]);
  });
});

describe('ads on collections', () => {
  it('are those made for one and those for all', async () => {
    const [one, two] = [await collection(), await collection()];
    await create({ title: 'one', CollectionIds: [one] });
    await create({ title: 'pinned', placement: 'collection', CollectionIds: [one], priority: 3 });
    await create({ title: 'everywhere', placement: 'collection' });
    await create({ title: 'home' });
    expect(await titles(`CollectionId=${one}`)).toEqual(['pinned', 'one', 'everywhere']);
    expect(await titles(`CollectionId=${two}`)).toEqual(['everywhere']);
    expect(await titles(`CollectionId=${one}&placement=home`)).toEqual(['one']);
    const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    const ads = new Map<number, object[]>(body.map((shown: any) => [shown.id, shown.Ads]));
    const seen = async (id: number): Promise<object[]> =>
      (await listed(`CollectionId=${id}`)).map((ad) => ({ ...ad, impressionToken: undefined }));
    expect(ads.get(one)).toHaveLength(3);
    // Embedded ones have no token: visitors share that answer.
    for (const id of [one, two]) expect(ads.get(id)).toEqual(await seen(id));
    expect(JSON.stringify(body)).not.toContain('impressionToken');
  });

  it('are embedded by priority, fifty on each at most', async () => {
    const ids = [await collection(), await collection()];
    await query(
      `insert into ads ("PlatformId", "UserId", title, "titleKey", "linkUrl", placement, status, priority)
       select $1, $2, n, n, 'https://example.org/', 'collection', 'active', n from generate_series(1, 60) n`,
      [world.platformId(), world.user('creator').id],
    );
    const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    const expected = Array.from({ length: 50 }, (_, index) => 60 - index);
    for (const id of ids) {
      const { Ads } = body.find((shown: any) => shown.id === id);
      expect(Ads.map(({ priority }: AdDto) => priority)).toEqual(expected);
    }
  });

  it('are for the viewer’s role there as well', async () => {
    const id = await collection();
    await create({ title: 'free', roles: ['free'], CollectionIds: [id] });
    const seenBy = async (client: Client): Promise<string[]> => {
      const { body } = await client.get(`/api/collection/${world.platformId()}`);
      return body.find((shown: any) => shown.id === id).Ads.map((ad: AdDto) => ad.title);
    };
    expect([
      await seenBy(world.anonymous()),
      await seenBy(world.as('basic')),
      await seenBy(world.as('free', 'B')),
      await seenBy(world.as('free')),
    ]).toEqual([[], [], [], ['free']]);
  });

  it('tell nothing of a collection that the viewer may not see', async () => {
    const group = await world.group();
    await query(`insert into group_members ("PlatformId", "GroupId", "UserId") values ($1, $2, $3)`, [
      world.platformId(),
      group.id,
      world.user('basic').id,
    ]);
    const gated = await collection({ GroupIds: [group.id] });
    const future = await collection({ publishedDate: '2100-01-01' });
    const hidden = await collection({ showOnHomepage: false });
    const foreign = await collection({}, 'B');
    await create({ title: 'gated', placement: 'collection', CollectionIds: [gated] });
    await create({ title: 'future', placement: 'collection', CollectionIds: [future] });
    await create({ title: 'hidden', placement: 'collection', CollectionIds: [hidden] });
    await create({ title: 'everywhere', placement: 'collection' });
    const missing = 2_147_483_647;
    const seenBy = async (client: Client): Promise<string[][]> => {
      const seen: string[][] = [await titles('limit=50', client)];
      for (const id of [gated, future, hidden, foreign, missing]) {
        seen.push(await titles(`CollectionId=${id}`, client));
      }
      return seen;
    };
    const onHidden = ['hidden', 'everywhere'];
    for (const client of [world.anonymous(), world.as('free'), world.as('admin', 'B')]) {
      expect(await seenBy(client)).toEqual([onHidden, [], [], onHidden, [], []]);
    }
    for (const client of [world.as('basic'), world.as('admin')]) {
      expect(await seenBy(client)).toEqual([
        ['gated', ...onHidden],
        ['gated', 'everywhere'],
        [],
        onHidden,
        [],
        [],
      ]);
    }
  });

  it('do not spread to all when their collection is deleted', async () => {
    const [one, two] = [await collection(), await collection()];
    const { id } = await create({ title: 'pinned', placement: 'collection', CollectionIds: [one] });
    await query(`delete from collections where id = $1`, [one]);
    expect([await titles(`CollectionId=${two}`), await titles()]).toEqual([[], []]);
    const { body } = await world.as('creator').post('/api/ad', { id, CollectionIds: [] });
    expect(body[0].CollectionIds).toEqual([]);
    expect(await titles(`CollectionId=${two}`)).toEqual(['pinned']);
  });
});

describe('counting', () => {
  it('counts an impression and a click of one token, each once', async () => {
    const { id } = await create();
    const impressionToken = await tokenOf(id);
    const stamp = (): Promise<unknown> => query('select stamp from platform_stamps order by 1');
    const before = await stamp();
    for (let turn = 0; turn < 2; turn++) {
      const seen = await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken });
      expect([seen.status, seen.text]).toEqual([204, '']);
      const clicked = await world.as('free').post(`/api/ad/${id}/click`, { impressionToken });
      expect([clicked.status, clicked.body]).toEqual([200, { url: 'https://example.org/' }]);
    }
    expect(await counters(id)).toEqual({ impressions: 1, clicks: 1 });
    await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken: await tokenOf(id) });
    expect(await counters(id)).toEqual({ impressions: 2, clicks: 1 });
    // Nothing that readers see has changed.
    expect(await stamp()).toEqual(before);
  });

  it.each([
    ['impression', 204, { impressions: 1, clicks: 0 }],
    ['click', 200, { impressions: 0, clicks: 1 }],
  ])('20 equal calls at once count one %s', async (kind, status, expected) => {
    const { id } = await create();
    const impressionToken = await tokenOf(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.anonymous().post(`/api/ad/${id}/${kind}`, { impressionToken })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await counters(id)).toEqual(expected);
  });

  it('loses none of 20 different ones at once, nor what is saved meanwhile', async () => {
    const { id } = await create();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(id)));
    const calls = tokens.flatMap((impressionToken, turn) => [
      world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken }),
      world.anonymous().post(`/api/ad/${id}/click`, { impressionToken }),
      ...(turn % 4 === 0 ? [world.as('creator').post('/api/ad', { id, priority: turn })] : []),
    ]);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([]);
    expect(await counters(id)).toEqual({ impressions: 20, clicks: 20 });
  });

  it('takes the token of an ad that has ended since, and of banned members', async () => {
    const { id } = await create();
    const impressionToken = await tokenOf(id);
    await world.as('creator').post('/api/ad', { id, status: 'paused' });
    const banned = world.as('banned');
    expect((await banned.post(`/api/ad/${id}/impression`, { impressionToken })).status).toBe(204);
    expect((await banned.post(`/api/ad/${id}/click`, { impressionToken })).status).toBe(200);
    expect(await counters(id)).toEqual({ impressions: 1, clicks: 1 });
  });

  it('forgets events after two days, and costs one statement', async () => {
    const { id } = await create();
    const impressionToken = await tokenOf(id);
    const event = `insert into ad_events ("PlatformId", "AdId", nonce, kind, "createdAt")
      select $1, $2, prefix || n, 'click', now() - age from generate_series(1, 15) n,
             (values ('old', interval '48 hours 1 second'), ('new', interval '47 hours')) as e (prefix, age)`;
    await query(event, [world.platformId(), id]);
    const queries = await test.queriesOf(() =>
      world.anonymous().post(`/api/ad/${id}/click`, { impressionToken }),
    );
    expect(queries).toHaveLength(1);
    const left = await query(`select nonce from ad_events where "AdId" = $1 order by nonce collate "C"`, [
      id,
    ]);
    expect(left.filter(({ nonce }) => nonce.startsWith('old'))).toEqual([]);
    expect(left).toHaveLength(16);
  });
});

describe('GET /api/admin/ads', () => {
  const page = async (more = '', person: Person = 'admin'): Promise<any> => {
    const { status, body } = await world.as(person).get(`/api/admin/ads?${more}`);
    expect(status).toBe(200);
    return body;
  };
  const found = async (more = '', person: Person = 'admin'): Promise<string[]> =>
    (await page(more, person)).items.map(({ title }: AdDto) => title);

  it('answers full records, of creators their own', async () => {
    const own = await create({ CollectionIds: [await collection()], status: 'draft' });
    const other = await create({ title: 'Other', priority: 1 }, 'otherCreator');
    await create({ title: 'Foreign' }, 'creator', 'B');
    expect(await page()).toEqual({
      items: [other, own],
      totalItems: 2,
      currentPage: 1,
      itemsPerPage: 25,
      totalPages: 1,
    });
    expect(await page('itemsPerPage=1&currentPage=2')).toMatchObject({ items: [own], totalPages: 2 });
    expect(await found('', 'creator')).toEqual(['An ad']);
    const others = `filters=UserId:${world.user('otherCreator').id}`;
    expect(await found(others, 'creator')).toEqual([]);
    expect(await found(others)).toEqual(['Other']);
  });

  it('searches titles and filters', async () => {
    await create({ title: 'Crème brûlée', placement: 'feed' });
    await create({ title: '100% wool', status: 'paused' });
    expect(await found('searchTerm=BRULEE%20creme')).toEqual(['Crème brûlée']);
    expect(await found('searchTerm=0%25')).toEqual(['100% wool']);
    expect(await found('searchTerm=%25%25')).toEqual([]);
    expect(await found('filters=placement:feed')).toEqual(['Crème brûlée']);
    expect(await found(`filters=${encodeURIComponent('{"status":"paused","placement":"home"}')}`)).toEqual([
      '100% wool',
    ]);
    expect(await found('filters=status:draft')).toEqual([]);
  });

  it.each([
    ['priority', 'b c A'],
    ['createdAt', 'c A b'],
    ['title', 'A b c'],
    ['startDate', 'b A c'],
    ['impressions', 'A c b'],
    ['clicks', 'c b A'],
  ])('sorts by %s, both ways', async (field, order) => {
    await create({ title: 'c', priority: 2, startDate: '2026-01-03' });
    await create({ title: 'A', priority: 3, startDate: '2026-01-02' });
    await create({ title: 'b', priority: 1, startDate: '2026-01-01' });
    await query(`update ads set impressions = position(title in 'Acb'), clicks = position(title in 'cbA')`);
    await query(`update ads set "createdAt" = now() + id * interval '1 second'`);
    const expected = order.split(' ');
    expect(await found(`sort=${field}:asc`)).toEqual(expected);
    expect(await found(`sort=${field}:desc`)).toEqual(expected.toReversed());
  });

  it('costs three statements, however many there are', async () => {
    const cost = async (): Promise<number> => (await test.queriesOf(() => page())).length;
    await create();
    const few = await cost();
    const id = await collection();
    for (let index = 0; index < 8; index++) await create({ CollectionIds: [id] });
    expect([few, await cost()]).toEqual([3, 3]);
  });
});

it('DELETE /api/ad/{id} ends the ad and all that was counted of it', async () => {
  const { id } = await create({ CollectionIds: [await collection()] });
  const impressionToken = await tokenOf(id);
  await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken });
  const { status, body } = await world.as('creator').delete(`/api/ad/${id}`);
  expect([status, body]).toEqual([200, { message: expect.any(String), id }]);
  expect(
    await query(`select 1 from ads union select 1 from ad_collections union select 1 from ad_events`),
  ).toEqual([]);
  expect(await titles()).toEqual([]);
  expect((await world.as('creator').delete(`/api/ad/${id}`)).status).toBe(404);
  expect((await world.anonymous().post(`/api/ad/${id}/click`, { impressionToken })).status).toBe(404);
});
