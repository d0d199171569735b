import { World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let last = 0;

beforeAll(async () => {
  test = await TestApp.start({
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_EXEMPT: '198.51.100.0/24,2001:db8:ffff::1',
  });
  world = await World.create(test);
});
afterAll(() => test.stop());

/** An address that nobody has called from yet. */
const address = (): string => `203.0.113.${++last}`;
const from = (ip: string, client: Client = world.anonymous()): Client =>
  client.with({ 'x-forwarded-for': ip });
const remaining = ({ headers }: Answer): number => Number(headers['ratelimit-remaining']);

async function times<Result>(count: number, call: (turn: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let turn = 0; turn < count; turn++) results.push(await call(turn));
  return results;
}

function expectRefused({ status, headers, body }: Answer, limit: number, withinSeconds: number): void {
  expect([status, body.error]).toEqual([
    429,
    {
      status: 429,
      code: 'RATE_LIMITED',
      message: 'Too many requests.',
      ...(body.error.requestId && { requestId: headers['x-request-id'] }),
    },
  ]);
  expect(headers).toMatchObject({ 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': '0' });
  const wait = Number(headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(withinSeconds);
}

describe('anonymous visitors', () => {
  it('have 300 requests in five minutes each, told in the headers', async () => {
    const visitor = from(address());
    const answers = await times(300, () => visitor.get('/api/version'));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers[0]?.headers).toMatchObject({
      'ratelimit-limit': '300',
      'ratelimit-remaining': '299',
      'ratelimit-reset': expect.stringMatching(/^(29\d|300)$/),
    });
    expect(remaining(answers[299] as Answer)).toBe(0);
    expectRefused(await visitor.get('/api/version'), 300, 300);
    expect((await from(address()).get('/api/version')).status).toBe(200);
    expect((await visitor.get('/health/live')).status).toBe(200);
  });

  it('count by /64 when they come over IPv6', async () => {
    const first = '2001:db8:0:1';
    const one = await from(`${first}::1`).get('/api/version');
    const neighbour = await from(`${first}:ffff:1:2:3`).get('/api/version');
    const other = await from('2001:db8:0:2::1').get('/api/version');
    expect([remaining(one), remaining(neighbour), remaining(other)]).toEqual([299, 298, 299]);
  });

  it('count as one over IPv4 and as IPv6 that carries it', async () => {
    const ip = address();
    await from(ip).get('/api/version');
    expect(remaining(await from(`::ffff:${ip}`).get('/api/version'))).toBe(298);
  });

  it('cannot choose an address: only what the trusted proxy adds counts', async () => {
    const ip = address();
    const spoofed = await times(3, (turn) => from(`192.0.2.${turn}, ${ip}`).get('/api/version'));
    expect(spoofed.map(remaining)).toEqual([299, 298, 297]);
  });

  it('are not counted on addresses that are exempt', async () => {
    for (const ip of ['198.51.100.7', '2001:db8:ffff::1']) {
      const { status, headers } = await from(ip).get('/api/version');
      expect(status).toBe(200);
      expect(headers['ratelimit-remaining']).toBeUndefined();
    }
    expect((await from('2001:db8:ffff::2').get('/api/version')).headers['ratelimit-remaining']).toBe('299');
  });

  it('have 30 searches a minute', async () => {
    const visitor = from(address());
    const answers = await times(30, () => visitor.get('/api/content/search?q=word'));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expectRefused(await visitor.get('/api/content/search?q=word'), 30, 60);
    expect((await visitor.get('/api/version')).status).toBe(200);
  });
});

describe('users', () => {
  it('have 1,500 requests of their own, from wherever they call', async () => {
    const one = await from(address(), world.as('basic')).get('/api/user/me');
    const elsewhere = await from(address(), world.as('basic')).get('/api/user/me');
    const other = await from(address(), world.as('premium')).get('/api/user/me');
    expect(one.headers['ratelimit-limit']).toBe('1500');
    expect([remaining(one), remaining(elsewhere), remaining(other)]).toEqual([1499, 1498, 1499]);
  });

  it('have 60 writes a minute, refused before the body is looked at', async () => {
    const user = world.as('otherFree');
    const answers = await times(60, () => user.post('/api/keyword', { title: 'x' }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expectRefused(await user.post('/api/keyword', '{'), 60, 60);
    expect((await user.get('/api/user/me')).status).toBe(200);
  });

  it('write ten comments a minute', async () => {
    const { id } = await world.content();
    const user = world.as('free');
    const answers = await times(10, (turn) =>
      user.post('/api/chat', { contentId: id, message: `Said ${turn}` }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expectRefused(await user.post('/api/chat', { contentId: id, message: 'Once more' }), 10, 60);
  });

  it('with a bad credential count as the address that they call from', async () => {
    const ip = address();
    const bad = { authorization: 'Bearer bad' };
    const refused = await times(2, () => from(ip).get('/api/user/me', bad));
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect(refused.map(remaining)).toEqual([299, 298]);
  });
});

describe('minting', () => {
  const mint = (client: Client, secret: string): Promise<Answer> =>
    client.post(
      '/api/auth/token-for-email',
      { email: 'nobody@people.test', platformId: world.platformId() },
      { 'x-service-secret': secret },
    );

  it('fails 60 times a minute for each address, and is refused then', async () => {
    const attacker = from(address());
    const answers = await times(60, () => mint(attacker, 'wrong'));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expectRefused(await mint(attacker, 'wrong'), 60, 60);
    expect((await mint(from(address()), 'wrong')).status).toBe(401);
  });

  it('works 600 times a minute with the secret, from whatever address', async () => {
    const [secret = ''] = test.settings.SERVICE_SECRET;
    const answers = await times(600, (turn) => mint(from(`192.0.2.${turn % 200}`), secret));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(answers[0]?.headers['ratelimit-limit']).toBe('600');
    expectRefused(await mint(from(address()), secret), 600, 60);
  });
});
