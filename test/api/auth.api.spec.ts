import { PASSWORD, PEOPLE, type Person, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';
import { claimsOf, tokenCookie } from '../support/tokens';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  await world.givePassword('free');
  await world.givePassword('free', 'B');
  await world.givePassword('banned');
});
afterAll(() => test.stop());

const signIn = (values: object = {}): Promise<Answer> =>
  world.anonymous().post('/api/user/signin', {
    email: 'free@people.test',
    password: PASSWORD,
    PlatformId: String(world.platformId()),
    ...values,
  });

describe('POST /api/user/signin', () => {
  it('answers a token and the user', async () => {
    const answer = await signIn();
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).toEqual({
      token: expect.any(String),
      user: {
        id: world.user('free').id,
        email: 'free@people.test',
        name: 'free of A',
        role: 'free',
        status: 'active',
      },
    });
    expect(claimsOf(answer.body.token)).toMatchObject({ kind: 'password', pid: world.platformId() });
    const me = await test.client({ authorization: `Bearer ${answer.body.token}` }).get('/api/user/me');
    expect(me.body.id).toBe(world.user('free').id);
  });

  it('costs three statements: the user, failures before, and the session with its audit row', async () => {
    const statements = await test.queriesOf(() => signIn());
    const tables = statements.map((text) =>
      [...text.matchAll(/\b(?:from|into|update) "?(\w+)/gi)].map(([, table]) => table),
    );
    expect(tables).toEqual([['users'], ['sign_in_failures', 'sign_in_failures'], ['audit_log', 'sessions']]);
  });

  it('takes the platform as a string or an integer', async () => {
    const b = world.platformId('B');
    for (const PlatformId of [b, String(b)]) {
      expect((await signIn({ PlatformId })).body.user.id).toBe(world.user('free', 'B').id);
    }
  });

  it.each(['FREE@People.TEST', '  free@people.test ', 'ｆree@people.test'])(
    'takes %j for the address that it spells',
    async (email) => {
      const answer = await signIn({ email });
      expect(answer).toMatchObject({ status: 200, body: { user: { email: 'free@people.test' } } });
    },
  );

  it('compares passwords as NFKC, so that every keyboard can type them', async () => {
    await world.givePassword('premium', 'A', 'ﬁnely ａged Å cheese');
    const answer = await signIn({ email: 'premium@people.test', password: 'finely aged A\u030a cheese' });
    expect(answer).toMatchObject({ status: 200, body: { user: { id: world.user('premium').id } } });
  });

  it('makes a session of its own each time', async () => {
    const [one, other] = [(await signIn()).body.token, (await signIn()).body.token];
    expect(claimsOf(one).jti).not.toBe(claimsOf(other).jti);
    await test.client({ authorization: `Bearer ${one}` }).post('/api/user/signout');
    const me = await test.client({ authorization: `Bearer ${other}` }).get('/api/user/me');
    expect(me.status).toBe(200);
  });

  it('lets a banned member in', async () => {
    const answer = await signIn({ email: 'banned@people.test' });
    expect(answer).toMatchObject({ status: 200, body: { user: { id: world.user('banned').id } } });
  });
});

describe('POST /api/auth/token-for-email', () => {
  const mint = (body: object, secret = test.settings.SERVICE_SECRET[0] ?? ''): Promise<Answer> =>
    world.anonymous().post('/api/auth/token-for-email', body, { 'x-service-secret': secret });

  it.each(Object.keys(PEOPLE) as Person[])('mints a standard token for %s', async (person) => {
    const user = world.user(person, 'B');
    const answer = await mint({ email: user.email, platformId: user.PlatformId });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      expiresIn: 2_592_000,
      user: { id: user.id, email: user.email, name: user.name, role: user.role, platformId: user.PlatformId },
    });
    const claims = claimsOf(answer.body.accessToken);
    expect(claims).toMatchObject({
      kind: 'minted',
      sub: String(user.id),
      exp: Number(claims.iat) + 2_592_000,
    });
  });

  it('mints what is accepted as bearer token, token header and signed cookie', async () => {
    const { email, id } = world.user('creator');
    const { accessToken } = (await mint({ email, platformId: world.platformId() })).body;
    for (const headers of [
      { authorization: `Bearer ${accessToken}` },
      { token: accessToken },
      tokenCookie(test, accessToken),
    ]) {
      const me = await test.client(headers as Record<string, string>).get('/api/user/me');
      expect(me).toMatchObject({ status: 200, body: { id } });
    }
  });

  it('keeps the limits of pending and banned users', async () => {
    for (const [person, code] of [
      ['pending', 'EMAIL_NOT_VERIFIED'],
      ['banned', 'BANNED'],
    ] as const) {
      const { email } = world.user(person);
      const { accessToken } = (await mint({ email, platformId: world.platformId() })).body;
      const client = test.client({ authorization: `Bearer ${accessToken}` });
      expect((await client.post('/api/chat', { contentId: 1, message: 'x' })).body.error.code).toBe(code);
    }
  });

  it.each(['ADMIN@PEOPLE.test', ' admin@people.test\t', 'Ａdmin@people.test'])(
    'finds %j, and answers the stored spelling',
    async (email) => {
      const answer = await mint({ email, platformId: world.platformId() });
      expect(answer.body.user).toMatchObject({ id: world.user('admin').id, email: 'admin@people.test' });
    },
  );

  it('takes the secret before and the one after, while they rotate', async () => {
    const old = [...test.settings.SERVICE_SECRET];
    const next = 'next'.repeat(10);
    test.settings.SERVICE_SECRET = [next, ...old];
    const body = { email: 'free@people.test', platformId: world.platformId() };
    expect((await mint(body, old[0])).status).toBe(200);
    expect((await mint(body, next)).status).toBe(200);
    test.settings.SERVICE_SECRET = [next];
    expect((await mint(body, old[0])).status).toBe(401);
    test.settings.SERVICE_SECRET = old;
  });
});
