import { randomInt } from 'node:crypto';
import { Redis } from 'ioredis';
import { eventually, SmtpServer } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

const smtp = new SmtpServer();
let test: TestApp;
let world: World;
let last = 0;
let people = 0;

beforeAll(async () => {
  await smtp.start();
  test = await TestApp.start({
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
    SMTP_URL: smtp.url,
    WORKER: 'inline',
  });
  world = await World.create(test);
  await world.givePassword('free');
});
afterAll(async () => {
  await test.stop();
  await smtp.stop();
});

/** An address that nobody has called from yet. */
// A network of this run's own: rates in Redis are shared with whoever else tests there.
const network = randomInt(1, 0xffff);
const address = (): string => `198.${18 + (network & 1)}.${network >> 8}.${++last}`;
const nobody = (): string => `nobody-${++people}@people.test`;
const from = (ip: string, client: Client = world.anonymous()): Client =>
  client.with({ 'x-forwarded-for': ip });
const onA = (values: object): object => ({ PlatformId: String(world.platformId()), ...values });
const signIn = (ip: string, email = 'free@people.test', password = 'wrong horse'): Promise<Answer> =>
  from(ip).post('/api/user/signin', onA({ email, password }));
const ask = (ip: string, email: string, route = 'signin-otp'): Promise<Answer> =>
  from(ip).post(`/api/user/${route}`, onA({ email, name: 'Newcomer' }));

async function times<Result>(count: number, call: (turn: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let turn = 0; turn < count; turn++) results.push(await call(turn));
  return results;
}
const statuses = (answers: Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];

function expectRefused({ status, headers, body }: Answer, withinSeconds: number): void {
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(headers['retry-after']);
  expect(wait).toBeGreaterThan(withinSeconds / 2);
  expect(wait).toBeLessThanOrEqual(withinSeconds);
}

describe('A2 five failures in 15 minutes for an account and address', () => {
  it('A8 stop it there, known and unknown alike, whatever the password or the spelling', async () => {
    for (const email of ['free@people.test', nobody()]) {
      const ip = address();
      expect(statuses(await times(5, () => signIn(ip, email)))).toEqual([401]);
      expectRefused(await signIn(ip, email), 15 * 60);
      expectRefused(await signIn(ip, email, PASSWORD), 15 * 60);
      expectRefused(await signIn(ip, ` ${email.toUpperCase()}`), 15 * 60);
    }
  });

  it('A3 leave the owner free to sign in elsewhere, and others from there', async () => {
    const ip = address();
    await times(6, () => signIn(ip));
    expect((await signIn(ip)).status).toBe(429);
    expect((await signIn(address(), 'free@people.test', PASSWORD)).status).toBe(200);
    expect((await signIn(ip, nobody())).status).toBe(401);
  });

  it('are failures: signing in does not count, and begins anew', async () => {
    const ip = address();
    for (let round = 0; round < 2; round++) {
      expect(statuses(await times(4, () => signIn(ip)))).toEqual([401]);
      expect((await signIn(ip, 'free@people.test', PASSWORD)).status).toBe(200);
    }
  });

  it('are five of parallel ones too', async () => {
    const ip = address();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(ip)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('count for a whole /64 of IPv6', async () => {
    await times(5, (turn) => signIn(`2001:db8:${network.toString(16)}:5::${turn + 1}`));
    expect((await signIn(`2001:db8:${network.toString(16)}:5:ffff::1`)).status).toBe(429);
    expect((await signIn(`2001:db8:${network.toString(16)}:6::1`)).status).toBe(401);
  });

  it('bound guesses at the current password as well', async () => {
    const token = await world.newToken('free');
    const me = from(address(), test.client({ authorization: `Bearer ${token}` }));
    const guess = (): Promise<Answer> =>
      me.post('/api/user/change-email', { email: nobody(), currentPassword: 'wrong horse' });
    expect(statuses(await times(5, guess))).toEqual([400]);
    expectRefused(await guess(), 15 * 60);
  });
});

describe('A2 thirty failures in an hour for an address', () => {
  it('stop it for every account, and no other address', async () => {
    const ip = address();
    expect(statuses(await times(30, () => signIn(ip, nobody())))).toEqual([401]);
    expectRefused(await signIn(ip, nobody()), 60 * 60);
    expectRefused(await signIn(ip, 'free@people.test', PASSWORD), 60 * 60);
    expect((await signIn(address(), nobody())).status).toBe(401);
  });
});

describe('O2 codes', () => {
  it('are five an hour for an account, known or not, from wherever', async () => {
    for (const email of ['basic@people.test', nobody()]) {
      const answers = await times(5, () => ask(address(), email));
      expect(statuses(answers)).toEqual([200]);
      expectRefused(await ask(address(), email), 60 * 60);
      expectRefused(await ask(address(), email.toUpperCase(), 'signup'), 60 * 60);
    }
    const mails = await eventually(() => {
      const sent = smtp.mails.filter(({ envelope }) => envelope.to.includes('basic@people.test'));
      return sent.length > 0 && sent;
    });
    expect(mails).toHaveLength(1);
  });

  it('are twenty an hour for an address, whoever is asked for', async () => {
    const ip = address();
    expect(statuses(await times(20, () => ask(ip, nobody())))).toEqual([200]);
    expectRefused(await ask(ip, nobody()), 60 * 60);
    expectRefused(await ask(ip, 'premium@people.test'), 60 * 60);
    expectRefused(await ask(ip, nobody(), 'signup'), 60 * 60);
    expect((await ask(address(), nobody())).status).toBe(200);
  });

  it('to new addresses count with them, so that nobody is flooded through an account', async () => {
    await world.givePassword('premium');
    const target = nobody();
    const wish = { email: target, currentPassword: PASSWORD };
    const change = (): Promise<Answer> =>
      from(address(), world.as('premium')).post('/api/user/change-email', wish);
    expect(statuses(await times(5, change))).toEqual([200]);
    expectRefused(await change(), 60 * 60);
  });
});

describe('redeem-token', () => {
  it('takes five tries an hour, right ones too, from wherever', async () => {
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-code' });
    const redeem = (code: string): Promise<Answer> =>
      from(address(), world.as('otherFree')).post('/api/user/redeem-token', { code });
    const answers = await times(5, (turn) => redeem(`guess-${turn}`));
    expect(answers.map(({ status, body }) => [status, body[1]])).toEqual(answers.map(() => [200, false]));
    expectRefused(await redeem('gold-code'), 60 * 60);
    const me = await world.as('otherFree').get('/api/user/me');
    expect(me.body.role).toBe('free');
  });
});

describe('what is stored of tries', () => {
  /** All keys under which anything is counted. */
  async function storedKeys(): Promise<string[]> {
    const { REDIS_URL } = test.settings;
    if (!REDIS_URL) {
      const rows = await test.db.dataSource.query<{ key: string }[]>('select key from rate_limits');
      return rows.map(({ key }) => key);
    }
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`community-${new URL(test.database.url).pathname.slice(1)}-*`);
    redis.disconnect();
    return keys;
  }

  it('tells nobody whose they are', async () => {
    const ip = address();
    await signIn(ip);
    await ask(ip, nobody());
    const keys = await storedKeys();
    expect(keys.length).toBeGreaterThanOrEqual(4);
    const told = keys.filter((key) => !/\b(signIn|code|redeem)\w*:[\w-]{43}$/.test(key));
    expect(told).toEqual([]);
  });
});

describe('while the store of the rates is away', () => {
  it('each process counts for itself, and nobody is let through or turned away for it', async () => {
    if (test.settings.REDIS_URL) return;
    await test.db.dataSource.query('alter table rate_limits rename to rate_limits_away');
    try {
      // Of others than are refused below: a right password forgives, some time after its answer.
      expect((await signIn(address(), 'free@people.test', PASSWORD)).status).toBe(200);
      const [ip, email] = [address(), nobody()];
      expect(statuses(await times(5, () => signIn(ip, email)))).toEqual([401]);
      expectRefused(await signIn(ip, email), 15 * 60);
      expect(statuses(await times(5, () => ask(address(), email)))).toEqual([200]);
      expectRefused(await ask(address(), email), 60 * 60);
    } finally {
      await test.db.dataSource.query('alter table rate_limits_away rename to rate_limits');
    }
    expect((await signIn(address())).status).toBe(401);
  });
});
