import { hash } from '@node-rs/argon2';
import { createTestDatabase, FaultProxy, onServer, type TestDatabase } from '#libs/testing';
import { closedPort, ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const PASSWORD = 'correct horse battery';
const SIGN_INS = 120;
/** Far from the 30 s after which connections are reset, and from the times of a busy machine. */
const SOON_MS = 25_000;

/** The rates are on, and each sign-in comes from another client. */
(process.env.REDIS_URL ? describe : describe.skip)('the API without its Redis', () => {
  let database: TestDatabase;
  let proxy: FaultProxy;
  let api: ServiceProcess | undefined;
  let url: string;
  let clients = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Cheap to verify: this is no test of the hash.
    const passwordHash = await hash(PASSWORD, { memoryCost: 1024, timeCost: 1 });
    await onServer(
      database.url,
      `insert into platforms (name, slug) values ('P', 'p')`,
      `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role, "passwordHash")
       select 1, address, address, 'User', 'user', 'free', '${passwordHash}'
         from (select 'user' || n || '@people.test' as address from generate_series(1, ${SIGN_INS}) n) addresses`,
    );
  });
  beforeEach(async () => {
    proxy = await FaultProxy.before(process.env.REDIS_URL ?? '');
  });
  afterEach(async () => {
    await api?.end('SIGKILL');
    await proxy.close();
  });
  afterAll(() => database.drop());

  const start = async (redisUrl: string): Promise<void> => {
    api = new ServiceProcess('main', {
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      RATE_LIMITS: 'on',
      TRUST_PROXY: '127.0.0.1',
    });
    url = await api.url();
  };
  const signIn = async (user: number, password: string, from = `198.18.0.${++clients}`): Promise<number> => {
    const answer = await fetch(`${url}/api/user/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ email: `user${user}@people.test`, password, PlatformId: '1' }),
      signal: AbortSignal.timeout(SOON_MS),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const all = (password: string): Promise<number[]> =>
    Promise.all(Array.from({ length: SIGN_INS }, (_, n) => signIn(n + 1, password)));

  /** Whoever signs in is answered, right or wrong, and nothing of it is left at work. */
  async function expectService(): Promise<void> {
    clients = 0;
    const right = await all(PASSWORD);
    expect(right.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(right).toContain(200);
    const wrong = await all('wrong horse');
    expect(wrong.filter((status) => status !== 401 && status !== 503)).toEqual([]);
    expect(wrong).toContain(401);
    // Fewer at once than the fewest places at work.
    const reads = await Promise.all(Array.from({ length: 15 }, () => fetch(`${url}/api/platform/1`)));
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
  }

  /** By each process for itself. */
  async function expectCounted(): Promise<void> {
    const guesses: number[] = [];
    for (let guess = 0; guess < 6; guess++) guesses.push(await signIn(1, 'wrong horse', '198.19.0.1'));
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  }

  it('that was never there answers and counts', async () => {
    await start(`redis://127.0.0.1:${await closedPort()}`);
    await expectService();
    await expectCounted();
  });

  it('that falls silent answers and counts', async () => {
    await start(proxy.url);
    proxy.silence();
    await expectService();
    await expectCounted();
  });

  it('whose connections alone fall silent answers, over new ones', async () => {
    await start(proxy.url);
    proxy.silenceOpen();
    await expectService();
  });

  it('that resets its connections answers and counts', async () => {
    await start(proxy.url);
    proxy.refuse();
    await expectService();
    await expectCounted();
  });
});
