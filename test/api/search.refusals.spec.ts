import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const paths = (): string[] => ['search', `search/${world.platformId()}`, `${world.platformId()}`];

describe('the search refuses', () => {
  it.each([
    'q=',
    'q=%20%09%20',
    `q=${'x'.repeat(201)}`,
    `q=${'x'.repeat(10_240)}`,
    'q=a&q=b',
    'q[a]=b&q=',
    'q=%00',
    'q=a%00b',
  ])('?%s', async (query) => {
    for (const path of paths()) {
      const { status, body } = await world.anonymous().get(`/api/content/${path}?${query}`);
      expect([path, status]).toEqual([path, 400]);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'q' }] });
    }
  });

  it('no q at all, where the path is no item', async () => {
    for (const path of paths().slice(0, 2)) {
      const { status, body } = await world.as('admin').get(`/api/content/${path}`);
      expect([status, body.error.details[0].field]).toEqual([400, 'q']);
    }
    expect((await world.anonymous().get(`/api/content/${paths()[2]}`)).status).toBe(401);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=1&limit=2',
    'limit=99999999999999999999',
    'limit=1e1',
  ])('&%s', async (query) => {
    for (const path of paths()) {
      const { status, body } = await world.anonymous().get(`/api/content/${path}?q=abc&${query}`);
      expect([path, status, body.error.details]).toEqual([
        path,
        400,
        [{ field: 'limit', issue: expect.any(String) }],
      ]);
    }
  });

  it.each([
    'PlatformId=x',
    'PlatformId=0',
    'PlatformId=2147483648',
    'PlatformId=1&PlatformId=1',
    'PlatformId=',
  ])('&%s', async (query) => {
    const { status, body } = await world.anonymous().get(`/api/content/search?q=abc&${query}`);
    expect([status, body.error.details]).toEqual([400, [{ field: 'PlatformId', issue: expect.any(String) }]]);
  });

  it.each(['search/abc', 'abc', 'search/1.5', '-1'])('/%s', async (path) => {
    const { status, body } = await world.anonymous().get(`/api/content/${path}?q=abc`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a platform that cannot be', async () => {
    for (const path of ['search/2147483648', '2147483648', 'search/0']) {
      expect((await world.anonymous().get(`/api/content/${path}?q=abc`)).status).toBe(404);
    }
  });

  it('a bad token, although none is needed', async () => {
    const client = test.client({ authorization: 'Bearer nonsense' });
    for (const path of paths()) expect((await client.get(`/api/content/${path}?q=abc`)).status).toBe(401);
  });

  it.each([
    '%F0%9F%8F%84',
    "'; drop table contents; --",
    '\\',
    '%5C%25',
    '(',
    '*',
    '[',
    '%E2%80%8B',
    '%F0%9F',
    '%ED%A0%80',
  ])('nothing of %s, and does not fail', async (q) => {
    for (const path of paths()) {
      const { status } = await world
        .anonymous()
        .get(`/api/content/${path}?q=${q.replace(/[ ;]/g, encodeURIComponent)}`);
      expect([200, 400]).toContain(status);
    }
  });
});
