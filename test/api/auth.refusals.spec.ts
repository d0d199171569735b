import { request } from 'node:http';
import { PasswordsService } from '../../src/kernel/passwords/passwords.service';
import { PASSWORD, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let secret: string;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  secret = test.settings.SERVICE_SECRET[0] ?? '';
  await world.givePassword('free');
  await world.givePassword('otherFree');
});
afterAll(() => test.stop());

/** Two refusals must not differ in anything but the request id. */
const bodyOf = ({ status, text, body }: Answer): string =>
  `${status} ${text.replace(body.error.requestId, '')}`;

describe('POST /api/auth/token-for-email', () => {
  const valid = (): object => ({ email: 'free@people.test', platformId: world.platformId() });
  const mint = (
    body: unknown = valid(),
    headers: Record<string, string> = { 'x-service-secret': secret },
  ): Promise<Answer> => world.anonymous().post('/api/auth/token-for-email', body, headers);
  const REFUSED = {
    error: { status: 401, code: 'UNAUTHORIZED', message: 'Missing or invalid service secret.' },
  };

  const headers: [string, () => Record<string, string>][] = [
    ['M1 no secret', () => ({})],
    ['M2 a wrong secret', () => ({ 'x-service-secret': 'x'.repeat(secret.length) })],
    ['M2 the beginning of the secret', () => ({ 'x-service-secret': secret.slice(0, -1) })],
    ['M2 the secret and more', () => ({ 'x-service-secret': `${secret}x` })],
    ['M2 the secret in other letters', () => ({ 'x-service-secret': secret.toUpperCase() })],
    ['M2 a secret that is not ASCII', () => ({ 'x-service-secret': 'ÿ'.repeat(40) })],
    ['M3 an empty secret', () => ({ 'x-service-secret': '' })],
    ['M4 the secret twice in one line', () => ({ 'x-service-secret': `${secret}, ${secret}` })],
    ['M8 the secret as a bearer token', () => ({ authorization: `Bearer ${secret}` })],
    ["M8 an admin's bearer token", () => ({ authorization: `Bearer ${world.platforms.A.tokens.admin}` })],
    ['M8 the secret under the name of the token', () => ({ token: secret })],
  ];
  it.each(headers)('%s → 401, the same body', async (_name, given) => {
    const answer = await mint(valid(), given());
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.body).toEqual(REFUSED);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('M4 the header sent twice → 401', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = await test.app.getUrl();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${url}/api/auth/token-for-email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-secret': [secret, secret] },
      });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(valid()));
    });
    expect(status).toBe(401);
  });

  it('M5 no secret configured → always 401', async () => {
    const configured = test.settings.SERVICE_SECRET;
    test.settings.SERVICE_SECRET = [];
    for (const given of [secret, '', 'undefined']) {
      expect((await mint(valid(), { 'x-service-secret': given })).body).toEqual(REFUSED);
    }
    test.settings.SERVICE_SECRET = configured;
  });

  it('the secret is checked before the body', async () => {
    const wrong = { 'x-service-secret': 'wrong' };
    for (const body of [{}, '{', '[]', { email: 5 }, JSON.stringify({ email: 'x'.repeat(2 ** 20) })]) {
      expect((await mint(body, wrong)).body).toEqual(REFUSED);
    }
    const form = await mint('email=x', { ...wrong, 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.body).toEqual(REFUSED);
  });

  it('M6 everything unknown → the same 404', async () => {
    const gone = await world.as('admin').delete(`/api/user/${world.user('otherCreator').id}`);
    expect(gone.status).toBe(200);
    const unknown: object[] = [
      { ...valid(), email: 'nobody@people.test' },
      { ...valid(), platformId: 2_147_483_647 },
      { email: 'othercreator@people.test', platformId: world.platformId() },
    ];
    const answers = await Promise.all(unknown.map((body) => mint(body)));
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        error: { status: 404, code: 'NOT_FOUND', message: 'No user with this e-mail on this platform.' },
      });
    }
  });

  it('M6 an address of platform B is unknown on A', async () => {
    const made = await world.as('admin', 'B').post('/api/user', {
      email: 'only@b.test',
      name: 'Only on B',
      role: 'free',
      PlatformId: world.platformId('B'),
    });
    expect(made.status).toBe(200);
    expect((await mint({ email: 'only@b.test', platformId: world.platformId('B') })).status).toBe(200);
    expect((await mint({ email: 'only@b.test', platformId: world.platformId() })).status).toBe(404);
  });

  it.each([
    ['M7 a string', '1'],
    ['M7 over 2^31', 2_147_483_648],
    ['M7 far over', 1e300],
    ['M7 zero', 0],
    ['M7 negative', -1],
    ['M7 a fraction', 1.5],
    ['M7 null', null],
    ['M7 an array', [1]],
    ['M7 absent', undefined],
  ])('%s as platformId → 400', async (_name, platformId) => {
    const answer = await mint({ email: 'free@people.test', platformId });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'platformId' }] } },
    });
  });

  it.each([
    ['M9 absent', undefined],
    ['M9 no address', 'free'],
    ['M9 empty', ''],
    ['M9 a number', 5],
    ['M9 an array', ['free@people.test']],
    ['M9 an object', { $ne: null }],
    [
      'M9 over 254 characters',
      `${'x'.repeat(60)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'z'.repeat(60)}.${'z'.repeat(60)}.test`,
    ],
    ['M9 with NUL', 'fr\0ee@people.test'],
    ['M9 a header more', 'free@people.test\r\nBcc: x@y.z'],
  ])('%s as email → 400', async (_name, email) => {
    const answer = await mint({ email, platformId: world.platformId() });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'email' }] } },
    });
  });
});

describe('POST /api/user/signin', () => {
  const signIn = (values: object = {}): Promise<Answer> =>
    world.anonymous().post('/api/user/signin', {
      email: 'free@people.test',
      password: PASSWORD,
      PlatformId: String(world.platformId()),
      ...values,
    });

  it('A1 what is wrong with the credentials does not show in the answer', async () => {
    await world.as('otherFree').delete(`/api/user/${world.user('otherFree').id}`);
    const answers = [
      await signIn({ password: 'wrong horse battery' }),
      await signIn({ email: 'nobody@people.test' }),
      await signIn({ email: 'premium@people.test' }),
      await signIn({ email: 'pending@people.test', password: 'wrong horse battery' }),
      await signIn({ email: 'otherfree@people.test' }),
      await signIn({ PlatformId: String(world.platformId('B')) }),
      await signIn({ PlatformId: '2147483647' }),
      await signIn({ password: '' }),
      await signIn({ password: 'x'.repeat(1024) }),
      await signIn({ password: `${PASSWORD} ` }),
    ];
    expect(answers[0]).toMatchObject({
      status: 401,
      body: { error: { status: 401, code: 'UNAUTHORIZED', message: 'E-mail or password is wrong.' } },
    });
    expect(new Set(answers.map(bodyOf)).size).toBe(1);
    expect((await signIn()).status).toBe(200);
  });

  it('A7 nor does it show in the time that it takes', async () => {
    const timed = async (values: object): Promise<number> => {
      const begin = performance.now();
      await signIn(values);
      return performance.now() - begin;
    };
    const times: Record<'known' | 'unknown' | 'passwordless', number[]> = {
      known: [],
      unknown: [],
      passwordless: [],
    };
    for (let round = 0; round < 5; round++) {
      times.known.push(await timed({ password: 'wrong horse battery' }));
      times.unknown.push(await timed({ email: 'nobody@people.test' }));
      times.passwordless.push(await timed({ email: 'premium@people.test' }));
    }
    const [known, unknown, passwordless] = Object.values(times).map(
      (all) => all.sort((a, b) => a - b)[2] ?? 0,
    );
    // Without the hash of a made-up password they would differ twentyfold.
    for (const other of [unknown, passwordless]) {
      expect((other ?? 0) / (known ?? 0)).toBeGreaterThan(0.33);
      expect((other ?? 0) / (known ?? 0)).toBeLessThan(3);
    }
  });

  it.each([
    ['1,025 bytes', 'x'.repeat(1025)],
    ['fewer characters of over 1,024 bytes', 'ü'.repeat(513)],
    ['900 KB', 'x'.repeat(900_000)],
  ])('A5 a password of %s → 400, before it is hashed', async (_name, password) => {
    const verify = jest.spyOn(test.get(PasswordsService), 'verify');
    const answer = await signIn({ password });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          details: [{ field: 'password', issue: 'password must be at most 1024 bytes' }],
        },
      },
    });
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  const malformed: [string, string, unknown][] = [
    ...[
      undefined,
      null,
      5,
      {},
      ['free@people.test'],
      { $gt: '' },
      'free',
      '',
      'a@b@c',
      'free@people.test\0',
    ].map((value): [string, string, unknown] => ['email', JSON.stringify(value) ?? 'nothing', value]),
    ...[undefined, null, 5, true, {}, { $ne: 1 }, [PASSWORD], 'lone \ud800'].map(
      (value): [string, string, unknown] => ['password', JSON.stringify(value) ?? 'nothing', value],
    ),
    ...[
      undefined,
      null,
      {},
      [1],
      '',
      'abc',
      '1 or 1=1',
      '1.5',
      1.5,
      0,
      '0',
      -1,
      2_147_483_648,
      '99999999999999999999',
      '1e1',
      ' 1',
      true,
    ].map((value): [string, string, unknown] => ['PlatformId', JSON.stringify(value) ?? 'nothing', value]),
  ];
  it.each(malformed)('A6 %s %s → 400', async (field, _shown, value) => {
    const answer = await signIn({ [field]: value });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field }] } },
    });
  });

  it('A6 names every faulty field at once', async () => {
    const answer = await world.anonymous().post('/api/user/signin', {});
    expect(answer.body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'PlatformId',
      'email',
      'password',
    ]);
  });

  it.each([['[]'], ['"text"'], ['5'], ['null'], ['{'], [''], ['{"a":1}}'], ['\ufeff{}']])(
    'A6 the body %j → 400',
    async (body) => {
      const answer = await world.anonymous().post('/api/user/signin', body);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    },
  );

  it('A6 prototypes in the body → 400', async () => {
    for (const body of ['{"__proto__": {"email": "x"}}', '{"constructor": {"prototype": {}}}']) {
      const answer = await world.anonymous().post('/api/user/signin', body);
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field: 'body' }] } } });
    }
  });

  it('A9 a flood of sign-ins is shed with 503, while other routes answer', async () => {
    const flood = Array.from({ length: 80 }, (_, index) => signIn({ email: `bot${index}@people.test` }));
    let over = false;
    const ended = Promise.all(flood).finally(() => (over = true));
    const other = await world.anonymous().get(`/api/platform/${world.platformId()}`);
    expect(other.status).toBe(200);
    expect(over).toBe(false);
    const answers = await ended;
    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(34);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
    for (const { headers, body } of shed) {
      expect(body.error.code).toBe('UNAVAILABLE');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await signIn()).status).toBe(200);
  });
});
