import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';
import { resigned, tokenCookie } from '../support/tokens';

const [OURS, THEIRS, SHARED] = ['https://ours.test', 'https://theirs.test', 'https://shared.test'] as const;

let test: TestApp;
let world: World;
let item: number;

beforeAll(async () => {
  test = await TestApp.start({ CORS_ORIGINS: SHARED });
  world = await World.create(test);
  await world.as('admin').post(`/api/platform/${world.platformId()}/settings`, { allowedOrigins: [OURS] });
  await world.as('admin', 'B').post('/api/platform', { homepageUrl: THEIRS });
  item = (await world.content({ visibility: 'members' })).id;
});
afterAll(() => test.stop());

/** Which page may read an answer, and whether one that was fetched with cookies. */
const readableBy = ({ headers }: Answer): unknown => {
  expect(String(headers.vary)).toContain('Origin');
  return headers['access-control-allow-origin'] === undefined
    ? headers['access-control-allow-credentials']
    : [headers['access-control-allow-origin'], headers['access-control-allow-credentials']];
};
const credentials = (): Record<string, string>[] => {
  const token = world.platforms.A.tokens.free;
  return [{ authorization: `Bearer ${token}` }, { token }, tokenCookie(test, token)];
};

describe('X1 what is answered to a caller', () => {
  it.each(['/api/user/me', '/api/contents', '/api/user/2147483647', '/api/users', '/api/keywords'])(
    'by %s is read by pages of their own platform, and by no other tenant’s',
    async (url) => {
      for (const credential of credentials()) {
        const from = (origin: string): Promise<Answer> =>
          world.anonymous().get(url, { ...credential, origin });
        const [own, foreign] = [await from(OURS), await from(THEIRS)];
        expect(foreign.status).toBe(own.status);
        expect(readableBy(own)).toEqual([OURS, 'true']);
        expect(readableBy(await from(SHARED))).toEqual([SHARED, 'true']);
        expect(readableBy(await from(test.settings.PUBLIC_URL))).toEqual([test.settings.PUBLIC_URL, 'true']);
        expect(readableBy(foreign)).toBeUndefined();
        expect(foreign.headers['access-control-expose-headers']).toBeUndefined();
        expect(readableBy(await from('https://nobody.test'))).toBeUndefined();
      }
    },
  );

  it('by a write is neither', async () => {
    const client = world.as('free').with({ origin: THEIRS });
    expect(readableBy(await client.post('/api/chat', { contentId: item, message: 'Hi' }))).toBeUndefined();
    expect(readableBy(await client.post('/api/chat', { contentId: 'x' }))).toBeUndefined();
    expect(readableBy(await client.post('/api/group', { name: 'Not mine to add' }))).toBeUndefined();
  });

  it('with the same address on another platform goes by that platform', async () => {
    const client = world.as('free', 'B');
    expect(readableBy(await client.get('/api/user/me', { origin: THEIRS }))).toEqual([THEIRS, 'true']);
    expect(readableBy(await client.get('/api/user/me', { origin: OURS }))).toBeUndefined();
  });
});

describe('X1 what is answered to anybody', () => {
  const of = (platform: 'A' | 'B'): string => `/api/contents?PlatformId=${world.platformId(platform)}`;

  it('is read by the pages of every platform', async () => {
    for (const origin of [OURS, THEIRS, SHARED]) {
      for (const url of [of('A'), of('B'), '/api/version', '/api/user/me']) {
        expect(readableBy(await world.anonymous().get(url, { origin }))).toEqual([origin, 'true']);
      }
    }
    expect(
      readableBy(await world.anonymous().get(of('A'), { origin: 'https://nobody.test' })),
    ).toBeUndefined();
  });

  it('is so under a credential that is nobody’s, which pages have to notice', async () => {
    const dead = resigned(test, world.platforms.A.tokens.free, {
      secret: 'another secret of 32 characters!',
    });
    for (const credential of [{ authorization: `Bearer ${dead}` }, tokenCookie(test, dead)] as Record<
      string,
      string
    >[]) {
      const answer = await world.anonymous().get('/api/user/me', { ...credential, origin: OURS });
      expect([answer.status, readableBy(answer)]).toEqual([401, [OURS, 'true']]);
    }
  });

  it('is a preflight, which carries no credential', async () => {
    for (const origin of [OURS, THEIRS]) {
      const answer = await world.anonymous().request('OPTIONS', '/api/user/me', undefined, {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      });
      expect([answer.status, readableBy(answer)]).toEqual([204, [origin, 'true']]);
    }
  });
});
