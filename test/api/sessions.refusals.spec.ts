import { SessionsRepository } from '../../src/sessions/sessions.repository';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';
import { resigned, tokenCookie } from '../support/tokens';

let test: TestApp;
let world: World;
let token: string;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  token = world.platforms.A.tokens.free;
});
afterAll(() => test.stop());

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });
const me = (headers: Record<string, string>): Promise<Answer> => test.client(headers).get('/api/user/me');

function expectRefused(answer: Answer, code = 'UNAUTHORIZED'): void {
  expect(answer).toMatchObject({ status: 401, body: { error: { status: 401, code } } });
  expect(answer.body.error.requestId).toBe(answer.headers['x-request-id']);
  expect(answer.headers['cache-control']).toBe('no-store');
}

describe('tokens that were not issued like this', () => {
  it('accepts what the table below changes one thing of', async () => {
    const answer = await me(bearer(resigned(test, token)));
    expect(answer).toMatchObject({ status: 200, body: { id: world.user('free').id } });
  });

  const now = (): number => Math.floor(Date.now() / 1000);
  const changes: [string, () => string][] = [
    [
      'J1 alg none without a signature',
      () =>
        `${resigned(test, token, { header: { alg: 'none' } })
          .split('.', 2)
          .join('.')}.`,
    ],
    ['J1 alg none with the old signature', () => resigned(test, token, { header: { alg: 'none' } })],
    ['J1 alg None in another case', () => resigned(test, token, { header: { alg: 'nOnE' } })],
    [
      'J2 HS512 with the right secret',
      () => resigned(test, token, { header: { alg: 'HS512' }, hash: 'sha512' }),
    ],
    ['J2 RS256 signed as an HMAC', () => resigned(test, token, { header: { alg: 'RS256' } })],
    ['J3 type JWT', () => resigned(test, token, { header: { typ: 'JWT' } })],
    ['J3 no type', () => resigned(test, token, { header: { typ: undefined } })],
    ['J3 another audience', () => resigned(test, token, { claims: { aud: 'another-api' } })],
    ['J3 no audience', () => resigned(test, token, { claims: { aud: undefined } })],
    ['J3 another issuer', () => resigned(test, token, { claims: { iss: 'someone' } })],
    ['J3 no issuer', () => resigned(test, token, { claims: { iss: undefined } })],
    ['J4 another secret', () => resigned(test, token, { secret: 'x'.repeat(48) })],
    ['J4 an empty secret', () => resigned(test, token, { secret: '' })],
    ['J4 no key id', () => resigned(test, token, { header: { kid: undefined } })],
    ['J4 another key id', () => resigned(test, token, { header: { kid: '../../dev/null' } })],
    ['J4 a key id that is no text', () => resigned(test, token, { header: { kid: ['a'] } })],
    [
      'J4 edited claims under the old signature',
      () => {
        const [header, , signature] = token.split('.');
        return `${header}.${resigned(test, token, { claims: { sub: String(world.user('admin').id) } }).split('.')[1]}.${signature}`;
      },
    ],
    ['J5 no user', () => resigned(test, token, { claims: { sub: undefined } })],
    [
      'J5 a user who does not hold the session',
      () => resigned(test, token, { claims: { sub: String(world.user('admin').id) } }),
    ],
    ['J5 no platform', () => resigned(test, token, { claims: { pid: undefined } })],
    ['J5 another platform', () => resigned(test, token, { claims: { pid: world.platformId('B') } })],
    ['J5 no kind', () => resigned(test, token, { claims: { kind: undefined } })],
    ['J5 another kind', () => resigned(test, token, { claims: { kind: 'embed' } })],
    ['J5 no id', () => resigned(test, token, { claims: { jti: undefined } })],
    ['J5 an id that is no UUID', () => resigned(test, token, { claims: { jti: "' or true --" } })],
    [
      'J5 an id that nobody was given',
      () => resigned(test, token, { claims: { jti: '7f9c0a52-5f0e-4a3e-9d8f-0b6f3f1d2c11' } }),
    ],
    ['J5 no time of issue', () => resigned(test, token, { claims: { iat: undefined } })],
    ['J5 no expiry', () => resigned(test, token, { claims: { exp: undefined } })],
    ['J5 an expiry that is no number', () => resigned(test, token, { claims: { exp: 'never' } })],
    ['no token at all', () => ''],
    ['one word', () => 'x'],
    ['three words', () => 'a.b.c'],
    ['dots', () => '..'],
    ['a header that is no object', () => `${Buffer.from('null').toString('base64url')}.e30.AAAA`],
    [
      'a payload that is no JSON',
      () => `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.bm8.AAAA`,
    ],
    [
      'a payload that is no object',
      () => `${Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url')}.bnVsbA.AAAA`,
    ],
    ['8 KB of it', () => 'a'.repeat(8000)],
  ];
  it.each(changes)('%s → 401', async (_name, made) => {
    expectRefused(await me(bearer(made())));
    expectRefused(await me({ token: made() }));
  });

  it('J6 an expired token → 401 TOKEN_EXPIRED, with 30 seconds for clocks that differ', async () => {
    const expiring = (at: number): string => resigned(test, token, { claims: { exp: at } });
    expectRefused(await me(bearer(expiring(now() - 31))), 'TOKEN_EXPIRED');
    expectRefused(await me(bearer(expiring(1))), 'TOKEN_EXPIRED');
    expect((await me(bearer(expiring(now() - 20)))).status).toBe(200);
  });
});

describe('sessions that have ended', () => {
  it('S1 a token after signing out → 401 everywhere, other sessions go on', async () => {
    const [one, other] = [await world.newToken('premium'), await world.newToken('premium')];
    const signedOut = await test.client(bearer(one)).post('/api/user/signout');
    expect(signedOut).toMatchObject({ status: 200, body: { message: 'Signed out.' } });
    expectRefused(await me(bearer(one)));
    expectRefused(await me({ token: one }));
    expectRefused(await test.client(bearer(one)).get('/api/content/search?q=sail'));
    expectRefused(await test.client(bearer(one)).post('/api/user/signout'));
    expect((await me(bearer(other))).status).toBe(200);
  });

  it('S1 signing out needs a token', async () => {
    expectRefused(await world.anonymous().post('/api/user/signout'));
  });

  it('S2 what ends a session is in the database, not in the process', async () => {
    const ending = await world.newToken('basic');
    await test.db.dataSource.query(`update sessions set "endedAt" = now() where "UserId" = $1`, [
      world.user('basic').id,
    ]);
    expectRefused(await me(bearer(ending)));
  });

  it('S4 the tokens of a deleted user → 401', async () => {
    const { id } = world.user('otherFree');
    const minted = await world.newToken('otherFree');
    expect((await me(bearer(minted))).status).toBe(200);
    expect((await world.as('admin').delete(`/api/user/${id}`)).status).toBe(200);
    expectRefused(await me(bearer(minted)));
    expectRefused(await world.as('otherFree').get('/api/user/me'));
  });

  it('a session store that cannot be read → 503, neither 401 nor acceptance', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const broken = jest.spyOn(test.get(SessionsRepository), 'caller').mockRejectedValue(away);
    test.forgetCallers();
    try {
      for (const url of [
        '/api/user/me',
        '/api/content/search?q=sail',
        `/api/collection/${world.platformId()}`,
      ]) {
        const answer = await world.as('free').get(url);
        expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    } finally {
      broken.mockRestore();
    }
    expect((await world.as('free').get('/api/user/me')).status).toBe(200);
  });
});

describe('J6 two credentials that disagree: the first one present decides', () => {
  const dead = 'a.b.c';
  const cookies = (value: string): Record<string, string> => tokenCookie(test, value);

  it('a bad bearer token is not rescued by a good header, cookie or query', async () => {
    expectRefused(await me({ ...bearer(dead), token, ...cookies(token) }));
    expectRefused(await test.client(bearer(dead)).get(`/api/user/me?token=${token}`));
    expectRefused(await me({ authorization: 'Bearer', token }));
  });
  it('a bad header is not rescued by a good cookie', async () => {
    expectRefused(await me({ token: dead, ...cookies(token) }));
    expectRefused(await me({ token: '', ...cookies(token) }));
  });
  it('T1 the query parameter is no credential here', async () => {
    expectRefused(await world.anonymous().get(`/api/user/me?token=${token}`));
    const search = await world.anonymous().get(`/api/content/search?q=sail&token=${dead}`);
    expect(search.status).toBe(200);
  });
  it('the service secret signs nobody in', async () => {
    expectRefused(await me({ 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' }));
  });
});

describe('routes of each kind, given a bad credential', () => {
  const optional = [
    '/api/content/search?q=sail',
    '/api/chat?contentId=1',
    '/api/content/1/reactions',
    '/api/replies?id=1',
  ];

  it.each(optional)('optional %s → 401 for a bad token in either header', async (url) => {
    expectRefused(await test.client(bearer('a.b.c')).get(url));
    expectRefused(await test.client({ token: 'a.b.c' }).get(url));
    const expired = resigned(test, token, { claims: { exp: 1 } });
    expectRefused(await test.client(bearer(expired)).get(url), 'TOKEN_EXPIRED');
  });

  it('public routes never answer 401 for a credential that they do not need', async () => {
    for (const headers of [bearer('a.b.c'), { token: 'a.b.c' }, { cookie: 'token=a.b.c' }]) {
      const client = test.client(headers);
      const id = world.platformId();
      expect(await client.get(`/api/platform/${id}`)).toMatchObject({ status: 200, body: { id } });
      expect((await client.get(`/api/collection/${id}`)).status).toBe(200);
      expect((await client.get('/api/version')).status).toBe(200);
      const minted = await client.post(
        '/api/auth/token-for-email',
        { email: 'free@people.test', platformId: id },
        { 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' },
      );
      expect(minted).toMatchObject({ status: 200, body: { user: { id: world.user('free').id } } });
      const wrong = await client.post('/api/user/signin', {
        email: 'free@people.test',
        password: 'wrong',
        PlatformId: '1',
      });
      expect(wrong.body.error.message).toBe('E-mail or password is wrong.');
    }
  });

  it('a pending member: 401 EMAIL_NOT_VERIFIED on bearer routes, signing out aside', async () => {
    const pending = world.as('pending');
    expectRefused(await pending.get('/api/user/me'), 'EMAIL_NOT_VERIFIED');
    expectRefused(await pending.post('/api/chat', { contentId: 1, message: 'x' }), 'EMAIL_NOT_VERIFIED');
    expectRefused(await pending.post('/api/group', {}), 'EMAIL_NOT_VERIFIED');
    expectRefused(await pending.delete(`/api/user/${world.user('pending').id}`), 'EMAIL_NOT_VERIFIED');
    const leaving = test.client(bearer(await world.newToken('pending')));
    expect((await leaving.post('/api/user/signout')).status).toBe(200);
    expectRefused(await leaving.get('/api/user/me'));
  });

  it('a role that does not suffice → 403, said before anything about the body', async () => {
    for (const person of ['free', 'premium'] as const) {
      const answer = await world.as(person).post('/api/group', { name: 5 });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'ROLE_FORBIDDEN' } } });
    }
  });

  it('the order is 401, 415 and 413, 403, 400', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectRefused(await world.anonymous().post('/api/group', 'name=x', form));
    const unreadable = await world.as('free').post('/api/group', 'name=x', form);
    expect(unreadable).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    expectRefused(await world.anonymous().post('/api/group', large));
    const tooLarge = await world.as('free').post('/api/group', large);
    expect(tooLarge).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
    const broken = await world.as('free').post('/api/group', '{');
    expect(broken).toMatchObject({ status: 403, body: { error: { code: 'ROLE_FORBIDDEN' } } });
    const readable = await world.as('creator').post('/api/group', '{');
    expect(readable).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'body', issue: 'not valid JSON' }] } },
    });
  });
});

describe('writes by cookie alone', () => {
  const write = (headers: Record<string, string>, body: unknown = { name: 'By cookie' }): Promise<Answer> =>
    test.client({ ...tokenCookie(test, token), ...headers }).post('/api/user', body);
  const name = async (): Promise<string> => (await world.as('free').get('/api/user/me')).body.name;

  it.each([
    ['C1 no origin', {}],
    ['C1 a foreign origin', { origin: 'https://evil.test' }],
    ['C1 a foreign origin that begins alike', { origin: 'https://api.test.evil.test' }],
    ['C1 another scheme', { origin: 'http://api.test' }],
    ['C1 another port', { origin: 'https://api.test:8443' }],
    ['C3 the null origin', { origin: 'null' }],
  ])('%s → 403 and nothing changes', async (_name, headers: Record<string, string>) => {
    const before = await name();
    const { id } = world.user('free');
    const answer = await write(headers, { id, name: 'Changed by a stranger' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await name()).toBe(before);
  });

  it('C2 a form or text/plain → 415, whatever the origin', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await write({ origin: 'https://api.test', 'content-type': type }, '{"name":"By form"}');
      expect(answer).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
    }
  });

  it('C3 a homepage of an odd scheme does not let the null origin in', async () => {
    await test.db.dataSource.query(
      `
      update platforms set "homepageUrl" = 'app://community', "homepageKey" = 'community' where id = $1`,
      [world.platformId('B')],
    );
    const client = test.client({ ...tokenCookie(test, world.platforms.B.tokens.free), origin: 'null' });
    const answer = await client.post('/api/user', { id: world.user('free', 'B').id, name: 'Changed' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});
