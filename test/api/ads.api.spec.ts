import type { AdDto } from '../../src/ads/dto/ad.dto';
import { type Person, World } from '../factories/world';
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
    const [one, two] = [(await world.collection()).id, (await world.collection()).id];
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
    const ad = await world.ad({
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
    const before = await world.ad({
      CollectionIds: [(await world.collection()).id],
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
    expect((await world.ad({ body })).body).toEqual(clean);
  });

  it('reads dates without an offset in the timezone of the platform', async () => {
    await query(`update platforms set timezone = 'Pacific/Auckland' where id = $1`, [world.platformId()]);
    const ad = await world.ad({ startDate: '2026-01-01T13:00:00', endDate: '2026-01-01T00:00:00Z' });
    await query(`update platforms set timezone = 'UTC' where id = $1`, [world.platformId()]);
    expect([ad.startDate, ad.endDate]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
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
    const own = await world.ad({ CollectionIds: [(await world.collection()).id], status: 'draft' });
    const other = await world.ad({ title: 'Other', priority: 1 }, 'otherCreator');
    await world.ad({ title: 'Foreign' }, 'creator', 'B');
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
    await world.ad({ title: 'Crème brûlée', placement: 'feed' });
    await world.ad({ title: '100% wool', status: 'paused' });
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
    await world.ad({ title: 'c', priority: 2, startDate: '2026-01-03' });
    await world.ad({ title: 'A', priority: 3, startDate: '2026-01-02' });
    await world.ad({ title: 'b', priority: 1, startDate: '2026-01-01' });
    await query(`update ads set impressions = position(title in 'Acb'), clicks = position(title in 'cbA')`);
    await query(`update ads set "createdAt" = now() + id * interval '1 second'`);
    const expected = order.split(' ');
    expect(await found(`sort=${field}:asc`)).toEqual(expected);
    expect(await found(`sort=${field}:desc`)).toEqual(expected.toReversed());
  });

  it('costs three statements, however many there are', async () => {
    const cost = async (): Promise<number> => (await test.queriesOf(() => page())).length;
    await world.ad();
    const few = await cost();
    const id = (await world.collection()).id;
    for (let index = 0; index < 8; index++) await world.ad({ CollectionIds: [id] });
    expect([few, await cost()]).toEqual([3, 3]);
  });
});

it('DELETE /api/ad/{id} ends the ad and all that was counted of it', async () => {
  const { id } = await world.ad({ CollectionIds: [(await world.collection()).id] });
  const impressionToken = await world.adToken(id);
  await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken });
  const { status, body } = await world.as('creator').delete(`/api/ad/${id}`);
  expect([status, body]).toEqual([200, { message: expect.any(String), id }]);
  expect(
    await query(`select "ActorId" from audit_log where action = 'ad.delete' and "targetId" = $1`, [`${id}`]),
  ).toEqual([{ ActorId: world.user('creator').id }]);
  expect(
    await query(`select 1 from ads union select 1 from ad_collections union select 1 from ad_events`),
  ).toEqual([]);
  expect(await world.runningAds()).toEqual([]);
  expect((await world.as('creator').delete(`/api/ad/${id}`)).status).toBe(404);
  expect((await world.anonymous().post(`/api/ad/${id}/click`, { impressionToken })).status).toBe(404);
});
