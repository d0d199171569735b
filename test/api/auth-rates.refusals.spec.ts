import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
  world = await World.create(test);
});
afterAll(() => test.stop());

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

describe('M10 token-for-email under a flood', () => {
  const mint = (secret: string, address: string): Promise<Answer> =>
    world
      .anonymous()
      .post(
        '/api/auth/token-for-email',
        { email: 'free@people.test', platformId: world.platformId() },
        { 'x-service-secret': secret, ...from(address) },
      );

  it('60 failures in a minute from one address → 429, while the secret still mints', async () => {
    const failures = await Promise.all(Array.from({ length: 60 }, () => mint('wrong', '198.51.100.1')));
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401]));
    const next = await mint('wrong', '198.51.100.1');
    expect(next).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(next.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await mint('wrong', '198.51.100.2')).status).toBe(401);
    expect((await mint(test.settings.SERVICE_SECRET[0] ?? '', '198.51.100.1')).status).toBe(200);
  });

  it('an address of IPv6 counts with its whole /64', async () => {
    const addresses = Array.from({ length: 60 }, (_, index) => `2001:db8:1:2::${(index + 1).toString(16)}`);
    await Promise.all(addresses.map((address) => mint('wrong', address)));
    expect((await mint('wrong', '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await mint('wrong', '2001:db8:1:3::1')).status).toBe(401);
  });
});

describe('writes without a credential', () => {
  it('are 60 a minute for an address; then sign-in is 429 before anything is looked at', async () => {
    const signIn = (body: unknown): Promise<Answer> =>
      world.anonymous().post('/api/user/signin', body, from('203.0.113.5'));
    const first = await signIn({});
    expect(first).toMatchObject({
      status: 400,
      headers: { 'ratelimit-limit': '60', 'ratelimit-remaining': '59' },
    });
    await Promise.all(Array.from({ length: 59 }, () => signIn({})));
    const known = { email: 'free@people.test', password: 'wrong horse', PlatformId: world.platformId() };
    for (const body of [known, { ...known, email: 'nobody@people.test' }, {}]) {
      const answer = await signIn(body);
      expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    const elsewhere = await world.anonymous().post('/api/user/signin', known, from('203.0.113.6'));
    expect(elsewhere.status).toBe(401);
  });
});
