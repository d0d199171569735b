import { ImpressionTokens } from '../../src/ads/impression-tokens';
import { AD, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const refusal = ({ status, body }: Answer): unknown => [status, body.error?.code];
const all = (): Promise<any[]> =>
  test.db.dataSource.query(
    `select a.*, array(select p."CollectionId" from ad_collections p where p."AdId" = a.id order by 1) as ids
       from ads a order by a.id`,
  );

describe('POST /api/ad refuses', () => {
  it('whoever is no staff, and ads that are not theirs, and changes nothing', async () => {
    const [own, foreign] = [await world.ad(), await world.ad({}, 'creator', 'B')];
    const before = await all();
    const save = async (who: 'free' | 'premium' | 'otherCreator' | 'admin', id: number): Promise<unknown> =>
      refusal(await world.as(who).post('/api/ad', { id, title: 'Taken over' }));
    expect(await save('free', own.id)).toEqual([403, 'ROLE_FORBIDDEN']);
    expect(await save('premium', own.id)).toEqual([403, 'ROLE_FORBIDDEN']);
    expect(await save('otherCreator', own.id)).toEqual([403, 'FORBIDDEN']);
    expect(await save('admin', foreign.id)).toEqual([404, 'NOT_FOUND']);
    expect(await save('admin', 2_147_483_647)).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await world.anonymous().post('/api/ad', AD))).toEqual([401, 'UNAUTHORIZED']);
    expect(await all()).toEqual(before);
  });

  it('foreign collections, all of them named, and saves nothing', async () => {
    const [own, foreign] = [(await world.collection()).id, (await world.collection({}, 'B')).id];
    const ad = await world.ad({ CollectionIds: [own] });
    const before = await all();
    for (const target of [AD, { id: ad.id, title: 'Changed' }]) {
      const { status, body } = await world
        .as('creator')
        .post('/api/ad', { ...target, CollectionIds: [2_147_483_647, own, foreign, foreign] });
      expect([status, body.error.code, body.error.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [
          { field: 'CollectionIds', issue: 'unknown id 2147483647' },
          { field: 'CollectionIds', issue: `unknown id ${foreign}` },
        ],
      ]);
    }
    expect(await all()).toEqual(before);
  });

  it.each([
    { title: undefined },
    { title: null },
    { title: ' ' },
    { title: 'x'.repeat(301) },
    { title: 'nul \0' },
    { linkUrl: undefined },
    { linkUrl: null },
    { linkUrl: '' },
    { linkUrl: 'javascript:alert(1)' },
    { linkUrl: ' javascript:alert(1)' },
    { linkUrl: 'JavaScript://example.org/%0aalert(1)' },
    { linkUrl: 'data:text/html,<script>alert(1)</script>' },
    { linkUrl: 'vbscript:x' },
    { linkUrl: 'ftp://example.org/' },
    { linkUrl: '//example.org/' },
    { linkUrl: '/path' },
    { linkUrl: 'https://user:pass@example.org/' },
    { linkUrl: 'https://example.org/"><script>' },
    { linkUrl: `https://example.org/${'x'.repeat(2029)}` },
    { imageUrl: 'javascript:alert(1)' },
    { imageUrl: 'data:image/svg+xml,<svg onload=alert(1)>' },
    { imageUrl: 'http://127.0.0.1/a.png' },
    { imageUrl: '' },
    { body: 'x'.repeat(10_001) },
    { body: 7 },
    { callToAction: '' },
    { callToAction: 'x'.repeat(101) },
    { placement: undefined },
    { placement: null },
    { placement: 'sidebar' },
    { CollectionIds: null },
    { CollectionIds: ['1'] },
    { CollectionIds: [0] },
    { CollectionIds: Array.from({ length: 501 }, (_, index) => index + 1) },
    { roles: null },
    { roles: 'free' },
    { roles: ['owner'] },
    { excludeRoles: ['free', 'nobody'] },
    { startDate: '2026-02-30' },
    { endDate: 'never' },
    { status: 'deleted' },
    { status: null },
    { priority: -1 },
    { priority: 101 },
    { priority: 1.5 },
    { priority: '1' },
    { priority: null },
    { id: 0 },
    { id: 2_147_483_648 },
  ])('%j', async (values) => {
    const { status, body } = await world.as('admin').post('/api/ad', { ...AD, ...values });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.length).toBeGreaterThan(0);
    for (const detail of body.error.details) expect(detail.field).toBe(Object.keys(values)[0]);
  });

  it('an end before the beginning, whichever of the two is sent', async () => {
    const details = [{ field: 'endDate', issue: 'must not be before startDate' }];
    const [startDate, endDate] = ['2026-05-05T00:00:00.001Z', '2026-05-05T00:00:00.000Z'];
    const { id } = await world.ad({ startDate });
    const before = await all();
    for (const values of [
      { ...AD, startDate, endDate },
      { id, endDate },
    ]) {
      const { status, body } = await world.as('creator').post('/api/ad', values);
      expect([status, body.error.details]).toEqual([400, details]);
    }
    expect(await all()).toEqual(before);
  });
});

describe('GET /api/ads refuses', () => {
  it.each([
    ['placement=sidebar', 'placement'],
    ['placement=', 'placement'],
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['CollectionId=0', 'CollectionId'],
    ['CollectionId=x', 'CollectionId'],
    ['CollectionId=1&CollectionId=2', 'CollectionId'],
  ])('?%s', async (more, field) => {
    const { status, body } = await world.anonymous().get(`/api/ads?PlatformId=${world.platformId()}&${more}`);
    expect([status, body.error.details]).toEqual([400, [{ field, issue: expect.any(String) }]]);
  });

  it('a request that names no platform, and a bad token', async () => {
    const { status, body } = await world.anonymous().get('/api/ads');
    expect([status, body.error.details[0].field]).toEqual([400, 'PlatformId']);
    const bad = test.client({ authorization: 'Bearer nonsense' });
    expect(refusal(await bad.get(`/api/ads?PlatformId=${world.platformId()}`))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
  });
});

describe.each(['impression', 'click'])('POST /api/ad/{id}/%s refuses', (kind) => {
  const count = (id: number | string, body: unknown): Promise<Answer> =>
    world.anonymous().post(`/api/ad/${id}/${kind}`, body);

  it('tokens that are forged, of another ad or expired, and counts nothing', async () => {
    const [ad, other] = [await world.ad(), await world.ad({}, 'creator', 'B')];
    const token = test.get(ImpressionTokens).issue(ad.id);
    const foreign = test.get(ImpressionTokens).issue(other.id);
    const [end, nonce] = token.split('.');
    const before = await all();
    for (const impressionToken of [
      '',
      'nonsense',
      foreign,
      `${end}.${nonce}.${foreign.split('.')[2]}`,
      `${token}A`,
      token.toUpperCase(),
    ]) {
      expect(refusal(await count(ad.id, { impressionToken }))).toEqual([400, 'INVALID_TOKEN']);
    }
    // Whether there is such an ad, the answer does not tell.
    expect(refusal(await count(2_147_483_647, { impressionToken: token }))).toEqual([400, 'INVALID_TOKEN']);
    test.clock.advance(24 * 3600 + 1);
    expect(refusal(await count(ad.id, { impressionToken: token }))).toEqual([400, 'INVALID_TOKEN']);
    test.clock.reset();
    expect(await all()).toEqual(before);
    expect(await test.db.dataSource.query(`select 1 from ad_events`)).toEqual([]);
  });

  it.each([
    [undefined],
    [{}],
    [{ impressionToken: 7 }],
    [{ impressionToken: null }],
    [{ impressionToken: ['x'] }],
  ])('the body %j', async (body) => {
    const answer = await count(1, body);
    expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].field).toBe('impressionToken');
  });

  it('ids that are none', async () => {
    expect(refusal(await count('abc', { impressionToken: 'x' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(refusal(await count('2147483648', { impressionToken: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });

  it('a bad token of the caller', async () => {
    const bad = test.client({ authorization: 'Bearer nonsense' });
    expect(refusal(await bad.post(`/api/ad/1/${kind}`, { impressionToken: 'x' }))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
  });
});

describe('GET /api/admin/ads refuses', () => {
  it.each([
    ['sort=linkUrl:asc', 'sort'],
    ['sort=title', 'sort'],
    ['filters=title:x', 'filters'],
    ['filters=status:gone', 'filters'],
    ['filters=UserId:x', 'filters'],
    ['itemsPerPage=0', 'itemsPerPage'],
    ['currentPage=x', 'currentPage'],
    [`searchTerm=${'x'.repeat(201)}`, 'searchTerm'],
  ])('?%s', async (more, field) => {
    const { status, body } = await world.as('admin').get(`/api/admin/ads?${more}`);
    expect([status, body.error.details]).toEqual([400, [{ field, issue: expect.any(String) }]]);
  });

  it('members', async () => {
    expect(refusal(await world.as('premium').get('/api/admin/ads'))).toEqual([403, 'ROLE_FORBIDDEN']);
  });
});

it('DELETE /api/ad/{id} refuses members, other creators and other platforms', async () => {
  const { id } = await world.ad();
  const before = await all();
  expect(refusal(await world.as('free').delete(`/api/ad/${id}`))).toEqual([403, 'ROLE_FORBIDDEN']);
  expect(refusal(await world.as('otherCreator').delete(`/api/ad/${id}`))).toEqual([403, 'FORBIDDEN']);
  expect(refusal(await world.as('admin', 'B').delete(`/api/ad/${id}`))).toEqual([404, 'NOT_FOUND']);
  expect(refusal(await world.as('admin').delete('/api/ad/abc'))).toEqual([400, 'VALIDATION_ERROR']);
  expect(await all()).toEqual(before);
});
