import { type Person, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let shown: number;
let planned: number;
let secret: number;
let deleted: number;
let foreignSecret: number;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  shown = (await world.content({ slug: 'shown' })).id;
  planned = (await world.content({ slug: 'planned', publishedDate: '2999-01-01T00:00:00Z' })).id;
  secret = (await world.content({ slug: 'secret', visibility: 'private' })).id;
  deleted = (await world.content({ slug: 'deleted' })).id;
  await world.as('creator').delete(`/api/content/${deleted}`);
  foreignSecret = (await world.content({ slug: 'theirs', visibility: 'private' }, 'B')).id;
});
afterAll(() => test.stop());

const refusal = ({ status, body }: Answer): unknown => [status, body.error?.code];
const INVALID = [400, 'VALIDATION_ERROR'];
const ABSENT = [404, 'NOT_FOUND'];

describe('GET /api/contents refuses', () => {
  it.each<[string, string]>([
    ['sort=password:asc', 'sort'],
    ['sort=id:asc', 'sort'],
    ['sort=title', 'sort'],
    ['sort=title:desc;select pg_sleep(1)', 'sort'],
    [`sort=title' or '1'='1:asc`, 'sort'],
    ['sort=title:asc, (select 1)', 'sort'],
    ['sort=constructor:asc', 'sort'],
    ['sort=title:asc&sort=title:asc', 'sort'],
    ['filters=PlatformId:1', 'filters'],
    ['filters=deletedAt:null', 'filters'],
    [`filters=type" or 1=1 --:article`, 'filters'],
    [`filters=type:article' or '1'='1`, 'filters'],
    ['filters=type:page', 'filters'],
    ['filters=GroupId:1 or 1=1', 'filters'],
    ['filters=GroupId:1.5', 'filters'],
    ['filters=KeywordId:0', 'filters'],
    ['filters=UserId:2147483648', 'filters'],
    ['filters=featured:1', 'filters'],
    ['filters=published:maybe', 'filters'],
    ['filters={"type":["article"]}', 'filters'],
    ['filters={"type":"article"', 'filters'],
    ['filters={"__proto__":{"type":"article"}}', 'filters'],
    ['filters=type:article,type:video', 'filters'],
    ['filters=type:article&filters=type:video', 'filters'],
    ['searchTerm=a&searchTerm=b', 'searchTerm'],
    [`searchTerm=${'x'.repeat(201)}`, 'searchTerm'],
    ['itemsPerPage=ten', 'itemsPerPage'],
    ['itemsPerPage=1.5', 'itemsPerPage'],
    ['itemsPerPage=0', 'itemsPerPage'],
    ['itemsPerPage=1&itemsPerPage=2', 'itemsPerPage'],
    ['currentPage=0', 'currentPage'],
    ['currentPage=-1', 'currentPage'],
    ['currentPage=1e9', 'currentPage'],
  ])('%s', async (parameters, field) => {
    const { status, body } = await world
      .as('admin')
      .get(`/api/contents?${encodeURI(parameters).replaceAll('+', '%2B')}`);
    expect([status, body.error.code, body.error.details.map((one: any) => one.field)]).toEqual([
      ...INVALID,
      [field],
    ]);
  });

  it.each(['PlatformId=one', 'PlatformId=0', 'PlatformId=1&PlatformId=1', 'PlatformId=', 'searchTerm=%00'])(
    '%s',
    async (parameters) => {
      expect(refusal(await world.as('admin').get(`/api/contents?${parameters}`))).toEqual(INVALID);
    },
  );

  it('to go without a platform', async () => {
    const { body } = await world.anonymous().get('/api/contents');
    expect(body.error.details).toEqual([{ field: 'PlatformId', issue: 'is required without a token' }]);
  });

  it('a token that is none', async () => {
    const client = test.client({ authorization: 'Bearer x' });
    const path = `/api/contents?PlatformId=${world.platformId()}`;
    expect(refusal(await client.get(path))).toEqual([401, 'UNAUTHORIZED']);
  });

  it.each<Person | null>([null, 'pending', 'banned', 'premium'])(
    'the filters of staff to %s, whatever their value',
    async (person) => {
      const client: Client = person ? world.as(person) : world.anonymous();
      for (const filter of ['visibility:public', 'published:true', 'published:all', 'published:false']) {
        const path = `/api/contents?PlatformId=${world.platformId()}&filters=type:article,${filter}`;
        const { status, body } = await client.get(path);
        expect([status, body.error.code, body.error.details]).toEqual([
          403,
          'ROLE_FORBIDDEN',
          [
            {
              field: 'filters',
              issue: `only admins and creators filter by ${filter.split(':')[0]}`,
            },
          ],
        ]);
      }
    },
  );

  it('the filters of staff to staff of another platform, be there one or not', async () => {
    for (const id of [world.platformId('B'), 999_999]) {
      const path = `/api/contents?PlatformId=${id}&filters=published:all`;
      expect(refusal(await world.as('admin').get(path))).toEqual([403, 'ROLE_FORBIDDEN']);
    }
  });
});

describe('reading by slug refuses', () => {
  it.each([
    'secret',
    'planned',
    'deleted',
    'theirs',
    'no-such-slug',
    'SHOWN',
    '%27%20or%201%3D1',
    '..%2Fshown',
    'x'.repeat(500),
  ])('%.20s as if there were nothing', async (slug) => {
    const nothing = await world.as('free').get(`/api/content-by-slug/nothing/${world.platformId()}`);
    const { status, body } = await world.as('free').get(`/api/content-by-slug/${slug}/${world.platformId()}`);
    expect([status, { ...body.error, requestId: '' }]).toEqual([
      404,
      { ...nothing.body.error, requestId: '' },
    ]);
  });

  it('another platform, and what is no platform', async () => {
    const status = async (platform: string | number): Promise<unknown> =>
      refusal(await world.anonymous().get(`/api/content-by-slug/shown/${platform}`));
    expect(await status(world.platformId('B'))).toEqual(ABSENT);
    expect(await status(999_999)).toEqual(ABSENT);
    expect(await status('99999999999')).toEqual(ABSENT);
    expect(await status('one')).toEqual(INVALID);
    expect(await status('1.5')).toEqual(INVALID);
    expect(await status('-1')).toEqual(INVALID);
  });

  it('a slug that is no text', async () => {
    const path = `/api/content-by-slug/%00/${world.platformId()}`;
    expect(refusal(await world.anonymous().get(path))).toEqual(INVALID);
  });

  it('a token that is none', async () => {
    const path = `/api/content-by-slug/shown/${world.platformId()}`;
    expect(refusal(await test.client({ token: 'x' }).get(path))).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe.each(['public', 'related'])('GET /api/content/{id}/%s refuses', (route) => {
  it('what is there for nobody who asks', async () => {
    for (const id of [secret, planned, deleted, foreignSecret, 999_999, '99999999999']) {
      expect(refusal(await world.anonymous().get(`/api/content/${id}/${route}`))).toEqual(ABSENT);
      expect(refusal(await world.as('premium').get(`/api/content/${id}/${route}`))).toEqual(ABSENT);
    }
    expect((await world.anonymous().get(`/api/content/${shown}/${route}`)).status).toBe(200);
  });

  it('what is no id', async () => {
    for (const id of ['abc', '1.5', '-1', '1e3', '%00', 'search']) {
      expect(refusal(await world.anonymous().get(`/api/content/${id}/${route}`))).toEqual(INVALID);
    }
  });
});

describe('related items', () => {
  it.each(['0', 'six', '1.5', '-1', '1&limit=2', ''])('refuse limit=%s', async (limit) => {
    const { status, body } = await world.anonymous().get(`/api/content/${shown}/related?limit=${limit}`);
    expect([status, body.error.details?.map((one: any) => one.field)]).toEqual([400, ['limit']]);
  });

  it('refuse a token that is none, which what is public does not look at', async () => {
    const client = test.client({ authorization: 'Bearer x' });
    expect(refusal(await client.get(`/api/content/${shown}/related`))).toEqual([401, 'UNAUTHORIZED']);
    expect((await client.get(`/api/content/${shown}/public`)).status).toBe(200);
  });
});

describe('counting a view refuses', () => {
  const views = async (): Promise<number> => {
    const [{ count }] = await test.db.dataSource.query(
      `select (select count(*) from content_viewers) + (select count(*) from content_view_days)
            + (select sum("viewCount") from contents) as count`,
    );
    return Number(count);
  };
  const view = (id: number | string, body?: unknown, client: Client = world.anonymous()): Promise<Answer> =>
    client.post(`/api/content/${id}/view`, body);

  afterEach(async () => expect(await views()).toBe(0));

  it('what the viewer may not read, its teaser included', async () => {
    const locked = (await world.content({ visibility: 'members', requiredRole: 'premium' })).id;
    for (const id of [secret, planned, deleted, foreignSecret, locked, 999_999, '99999999999']) {
      expect(refusal(await view(id))).toEqual(ABSENT);
      expect(refusal(await view(id, {}, world.as('basic')))).toEqual(ABSENT);
    }
    for (const id of ['abc', '1.5', 'search']) expect(refusal(await view(id))).toEqual(INVALID);
  });

  it.each([
    { seconds: -1 },
    { seconds: 1.5 },
    { seconds: '90' },
    { seconds: null },
    { seconds: 2_147_483_648 },
    { position: -1 },
    { position: [1] },
    { position: 1e300 },
    [],
    null,
    '{"seconds":',
  ])('%j', async (body) => {
    expect(refusal(await view(shown, body === null ? 'null' : body))).toEqual(INVALID);
  });

  it('what is not JSON, and a token that is none', async () => {
    const text = await world
      .anonymous()
      .request('POST', `/api/content/${shown}/view`, 'seconds=1', { 'content-type': 'text/plain' });
    expect(refusal(text)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const client = test.client({ authorization: 'Bearer x' });
    expect(refusal(await view(shown, {}, client))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a cookie alone from a page that is not ours', async () => {
    const fastify: any = test.app.getHttpAdapter().getInstance();
    const cookie = `token=${encodeURIComponent(fastify.signCookie(world.platforms.A.tokens.free))}`;
    for (const origin of [{}, { origin: 'https://evil.example' }]) {
      const { status, body } = await view(shown, {}, test.client({ cookie, ...origin } as never));
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});
