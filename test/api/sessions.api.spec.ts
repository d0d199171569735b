import { createHmac } from 'node:crypto';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';
import { claimsOf, tokenCookie } from '../support/tokens';

const HOMEPAGE = 'https://harbour.test';

let test: TestApp;
let world: World;
let contentId: number;

beforeAll(async () => {
  test = await TestApp.start({ CORS_ORIGINS: 'https://admin.test' });
  world = await World.create(test);
  await test.db.dataSource.query(
    `update platforms set "homepageUrl" = 'Harbour.test/', "homepageKey" = 'harbour.test', settings = '{"allowedOrigins": ["https://app.test:8443"]}' where id = $1`,
    [world.platformId()],
  );
  contentId = (await world.content()).id;
});
afterAll(() => test.stop());

const token = (person: Parameters<World['user']>[0] = 'free'): string => world.platforms.A.tokens[person];
const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });
const whoIs = async (headers: Record<string, string>): Promise<number> => {
  const { status, body } = await test.client(headers).get('/api/user/me');
  expect(status).toBe(200);
  return body.id;
};
const react = (client: Record<string, string>): Promise<Answer> =>
  test.client(client).post(`/api/content/${contentId}/reactions`, { emoji: 'heart' });

describe('a token', () => {
  it('says what it is, and that for 30 days', () => {
    const [header] = token().split('.');
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toEqual({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^[\w-]{12}$/),
    });
    const claims = claimsOf(token());
    expect(claims).toEqual({
      sub: String(world.user('free').id),
      pid: world.platformId(),
      kind: 'password',
      iss: expect.any(String),
      aud: expect.any(String),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 2_592_000,
    });
  });

  it('is one session row, which ends by itself', async () => {
    const issued = await world.newToken('basic');
    expect(await whoIs(bearer(issued))).toBe(world.user('basic').id);
    const [row] = await test.db.dataSource.query(
      `select kind, "expiresAt", "endedAt" from sessions where id = $1`,
      [claimsOf(issued).jti],
    );
    expect(row).toMatchObject({ kind: 'password', endedAt: null });
    const expiresAt = Number(claimsOf(issued).exp) * 1000;
    expect(Math.abs(row.expiresAt.getTime() - expiresAt)).toBeLessThan(1000);
    test.clock.set(new Date(expiresAt + 20_000));
    expect(await whoIs(bearer(issued))).toBe(world.user('basic').id);
    test.clock.set(new Date(expiresAt + 32_000));
    expect((await test.client(bearer(issued)).get('/api/user/me')).status).toBe(401);
    test.clock.reset();
  });

  it('stays good while the secret rotates, and no longer than the old secret is kept', async () => {
    const issued = await world.newToken('basic');
    const old = [...test.settings.JWT_SECRET];
    const next = 'n'.repeat(40);
    test.settings.JWT_SECRET = [next, ...old];
    expect(await whoIs(bearer(issued))).toBe(world.user('basic').id);
    expect(await whoIs(bearer(await world.newToken('basic')))).toBe(world.user('basic').id);
    test.settings.JWT_SECRET = [next];
    test.forgetCallers();
    expect((await test.client(bearer(issued)).get('/api/user/me')).status).toBe(401);
    test.settings.JWT_SECRET = old;
  });
});

describe('the credential of a request', () => {
  const { free, admin, creator } = { free: 'free', admin: 'admin', creator: 'creator' } as const;

  it('is the bearer token, then the token header, then the signed cookie', async () => {
    const cookie = tokenCookie(test, token(creator));
    expect(await whoIs({ ...bearer(token(free)), token: token(admin), ...cookie })).toBe(world.user(free).id);
    expect(await whoIs({ token: token(admin), ...cookie })).toBe(world.user(admin).id);
    expect(await whoIs(cookie)).toBe(world.user(creator).id);
  });

  it('is not an Authorization of another scheme, which counts as absent', async () => {
    const basic = { authorization: 'Basic ZnJlZTpmcmVl' };
    expect(await whoIs({ ...basic, token: token(admin) })).toBe(world.user(admin).id);
    expect((await test.client(basic).get('/api/content/search?q=sail')).status).toBe(200);
    expect(
      (await test.client({ authorization: 'Bearerish x' }).get('/api/content/search?q=sail')).status,
    ).toBe(200);
    expect((await test.client(basic).get('/api/user/me')).status).toBe(401);
  });

  it('may spell the scheme in any case', async () => {
    expect(await whoIs({ authorization: `bearer ${token()}` })).toBe(world.user(free).id);
    expect(await whoIs({ authorization: `BEARER   ${token()}` })).toBe(world.user(free).id);
  });

  it('may come in a header of another name, by TOKEN_HEADER_NAME', async () => {
    test.settings.TOKEN_HEADER_NAME = 'X-Member-Token';
    expect(await whoIs({ 'x-member-token': token(), token: 'a.b.c' })).toBe(world.user(free).id);
    expect((await test.client({ token: token() }).get('/api/user/me')).status).toBe(401);
    test.settings.TOKEN_HEADER_NAME = 'token';
  });

  it('in a cookie is <jwt>.<signature>, as any server that knows COOKIE_SECRET can make it', async () => {
    const signature = createHmac('sha256', test.settings.COOKIE_SECRET[0] ?? '')
      .update(token())
      .digest('base64')
      .replace(/=+$/, '');
    expect(await whoIs({ cookie: `other=1; token=${encodeURIComponent(`${token()}.${signature}`)}` })).toBe(
      world.user(free).id,
    );
  });
});

describe('a cookie that is dead or badly signed', () => {
  const cookies: [string, () => Record<string, string>][] = [
    ['unsigned', () => ({ cookie: `token=${token()}` })],
    [
      'signed with another secret',
      () => ({ cookie: `token=${token()}.${createHmac('sha256', 'x').update(token()).digest('base64url')}` }),
    ],
    ['signed around a dead token', () => tokenCookie(test, 'a.b.c')],
    ['empty', () => ({ cookie: 'token=' })],
  ];

  it.each(cookies)('%s: optional routes go on as anonymous and clear it', async (_name, cookie) => {
    const answer = await test.client(cookie()).get(`/api/content/${contentId}/reactions`);
    expect(answer).toMatchObject({ status: 200, body: { reactions: expect.any(Array), myReactions: [] } });
    expect(String(answer.headers['set-cookie'])).toMatch(/^token=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/);
    expect(String(answer.headers['set-cookie'])).toContain('Path=/');
  });

  it.each(cookies)('%s: bearer routes answer 401 and clear it', async (_name, cookie) => {
    const answer = await test.client(cookie()).get('/api/user/me');
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
    expect(String(answer.headers['set-cookie'])).toMatch(/^token=;/);
  });

  it('is left alone when it decides nothing, and so is a good one', async () => {
    const beside = await test.client({ ...bearer(token()), cookie: 'token=x' }).get('/api/user/me');
    expect(beside).toMatchObject({ status: 200, body: { id: world.user('free').id } });
    expect(beside.headers['set-cookie']).toBeUndefined();
    const good = await test.client(tokenCookie(test, token())).get('/api/user/me');
    expect(good.headers['set-cookie']).toBeUndefined();
  });

  it('is cleared by signing out', async () => {
    const leaving = tokenCookie(test, await world.newToken('free'));
    const answer = await test
      .client({ ...leaving, origin: 'https://api.test' })
      .post('/api/user/signout', {});
    expect(answer).toMatchObject({ status: 200, body: { message: 'Signed out.' } });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^token=;.*Max-Age=0.*HttpOnly.*Secure.*SameSite=Lax/,
    );
    expect((await test.client(leaving).get('/api/user/me')).status).toBe(401);
  });
});

describe('a write by cookie', () => {
  it.each([
    ['PUBLIC_URL', 'https://api.test'],
    ["the platform's homepage", HOMEPAGE],
    ["the platform's allowedOrigins", 'https://app.test:8443'],
    ['CORS_ORIGINS', 'https://admin.test'],
  ])('is good from %s', async (_name, origin) => {
    const answer = await react({ ...tokenCookie(test, token()), origin });
    expect(answer.status).toBe(200);
  });

  it('is not good from the homepage of another platform', async () => {
    const answer = await react({ ...tokenCookie(test, world.platforms.B.tokens.free), origin: HOMEPAGE });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });

  it('needs no origin when there is a token in a header, nor for reads', async () => {
    expect((await react(bearer(token()))).status).toBe(200);
    expect(
      (await react({ token: token(), ...tokenCookie(test, token()), origin: 'https://evil.test' })).status,
    ).toBe(200);
    expect(await whoIs(tokenCookie(test, token()))).toBe(world.user('free').id);
  });
});

describe('who the caller is, the database says', () => {
  it('S3 a role that was taken is gone at once, whatever the token was issued for', async () => {
    const { id } = world.user('otherCreator');
    expect((await world.as('otherCreator').post('/api/keyword', { title: 'Knots' })).status).toBe(200);
    expect((await world.as('admin').post('/api/user', { id, role: 'basic' })).body[0]).toMatchObject({
      role: 'basic',
    });
    const answer = await world.as('otherCreator').post('/api/keyword', { title: 'Ropes' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'ROLE_FORBIDDEN' } } });
    await world.as('admin').post('/api/user', { id, role: 'creator' });
    expect((await world.as('otherCreator').post('/api/keyword', { title: 'Ropes' })).status).toBe(200);
  });

  it('a pending member counts as anonymous on optional and public routes', async () => {
    const members = await world.content({ visibility: 'members', title: 'For members alone' });
    const url = '/api/content/search?q=For members alone&PlatformId=' + world.platformId();
    const reactions = await world.as('pending').get(`/api/content/${contentId}/reactions`);
    expect(reactions).toMatchObject({ status: 200, body: { myReactions: [] } });
    const anonymous = await world.anonymous().get(url);
    expect((await world.as('pending').get(url)).body).toEqual(anonymous.body);
    expect((await world.as('free').get(url)).body.items).toMatchObject([{ id: members.id }]);
  });

  it('a pending member becomes one at once', async () => {
    const { id } = world.user('pending', 'B');
    expect((await world.as('pending', 'B').get('/api/user/me')).status).toBe(401);
    await world.as('admin', 'B').post('/api/user', { id, status: 'active' });
    expect((await world.as('pending', 'B').get('/api/user/me')).body).toMatchObject({ id, status: 'active' });
  });
});

describe('a banned member', () => {
  it('reads as before', async () => {
    const banned = world.as('banned');
    expect((await banned.get('/api/user/me')).body).toMatchObject({ id: world.user('banned').id });
    expect((await banned.get(`/api/content/${contentId}`)).body).toMatchObject({
      id: contentId,
      locked: false,
    });
    expect((await banned.get(`/api/chat?contentId=${contentId}`)).status).toBe(200);
  });

  it('writes nothing', async () => {
    const { id } = world.user('banned');
    const writes: [string, object][] = [
      ['/api/chat', { contentId, message: 'x' }],
      ['/api/user', { id, name: 'Innocent' }],
      ['/api/content', { type: 'post', description: 'x' }],
      [`/api/content/${contentId}/reactions`, { emoji: 'heart' }],
    ];
    for (const [url, body] of writes) {
      const answer = await world.as('banned').post(url, body);
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'BANNED' } } });
    }
    expect((await world.as('banned').get('/api/user/me')).body.name).toBe('banned of A');
  });

  it('deletes nobody else, whatever the role', async () => {
    const { id } = world.user('admin', 'B');
    await test.db.dataSource.query(`update users set role = 'admin' where id = $1`, [
      world.user('banned', 'B').id,
    ]);
    const answer = await world.as('banned', 'B').delete(`/api/user/${id}`);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'BANNED' } } });
    expect((await world.as('admin', 'B').get('/api/user/me')).status).toBe(200);
  });

  it('may sign out and delete themself', async () => {
    const leaving = test.client(bearer(await world.newToken('banned')));
    expect((await leaving.post('/api/user/signout')).status).toBe(200);
    const { id } = world.user('banned');
    expect((await world.as('banned').delete(`/api/user/${id}`)).body).toEqual({
      message: 'User deleted.',
      id: String(id),
    });
  });

  it('is one until the ban ends', async () => {
    const { id } = world.user('basic');
    await test.db.dataSource.query(
      `update users set "bannedAt" = now(), "bannedUntil" = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect((await react(bearer(token('basic')))).body.error.code).toBe('BANNED');
    test.clock.advance(3601);
    expect((await react(bearer(token('basic')))).status).toBe(200);
    test.clock.reset();
  });
});
