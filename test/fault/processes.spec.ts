import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '#libs/testing';
import { closedPort, ServiceProcess } from '../support/service-process';

jest.setTimeout(60_000);

const running: ServiceProcess[] = [];
const start = (...parameters: ConstructorParameters<typeof ServiceProcess>): ServiceProcess => {
  const process = new ServiceProcess(...parameters);
  running.push(process);
  return process;
};

let database: TestDatabase;
let env: Record<string, string>;
const SECRET = 's'.repeat(32);

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, SERVICE_SECRET: SECRET };
  if (process.env.REDIS_URL) env.REDIS_URL = process.env.REDIS_URL;
});
afterEach(async () => {
  for (const process of running.splice(0)) await process.end('SIGKILL');
});
afterAll(() => database.drop());

describe.each(['main', 'worker'] as const)('%s', (entry) => {
  it('with wrong settings names them all and exits with 78, leaving nothing behind', async () => {
    const service = start(entry, {
      PORT: 'x',
      DATABASE_URL: 'mysql://x',
      NODE_ENV: 'production',
      DEMO: 'on',
    });
    expect(await service.exited).toMatchObject({ code: 78 });
    expect(service.stderr).toMatch(/^The settings are not valid:\n/);
    for (const name of ['PORT', 'DATABASE_URL', 'DEMO=on', 'SMTP_URL', 'JWT_SECRET', 'ENCRYPTION_KEY']) {
      expect(service.stderr).toContain(`\n  - ${name} `);
    }
    expect(service.stderr).not.toMatch(/\bat .*\.js/);
    expect(service.stdout).toBe('');
    expect(existsSync(join(service.dataDir, 'secrets.json'))).toBe(false);
  });

  it('with a database that refuses says why and exits with 78', async () => {
    const url = new URL(database.url);
    if (database.embedded) url.password = 'wrong';
    else url.pathname = '/no_such_database';
    const service = start(entry, { ...env, DATABASE_URL: url.href });
    expect(await service.exited).toMatchObject({ code: 78 });
    expect(service.stderr).toMatch(/^The database refused the connection: .*\n$/);
    expect(service.stderr).not.toContain(database.url);
  });

  it('waits for a database that is away, says so, and starts when it appears', async () => {
    const port = await closedPort();
    const url = new URL(database.url);
    url.port = `${port}`;
    const service = start(entry, { ...env, DATABASE_URL: url.href });
    await service.said(/The database is away \(.*ECONNREFUSED.*\); waiting for it/);
    const proxy = createServer((socket) => {
      const upstream = connect(Number(new URL(database.url).port), new URL(database.url).hostname);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    }).listen(port, '127.0.0.1');
    await service.said(entry === 'main' ? /Listening on/ : /Worker ready/);
    expect(await service.end()).toMatchObject({ code: 0 });
    proxy.close();
  });

  it('ends with 0 on SIGTERM and on SIGINT, also when told twice', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = start(entry, env);
      await service.said(entry === 'main' ? /Listening on/ : /Worker ready/);
      service.signal(signal);
      await service.said(/shutting down/).catch(() => undefined);
      const exit = await service.end(signal);
      expect(exit).toMatchObject({ code: 0, signal: null });
      expect(exit.ms).toBeLessThan(10_000);
      expect(service.stdout.match(/shutting down/g)).toHaveLength(1);
      expect(service.stderr).toBe('');
    }
  });

  it('without its Redis starts all the same, and ends with 0', async () => {
    const service = start(entry, { ...env, REDIS_URL: `redis://127.0.0.1:${await closedPort()}` });
    await service.said(entry === 'main' ? /Listening on/ : /Worker ready/);
    const exit = await service.end();
    expect(exit).toMatchObject({ code: 0 });
    expect(exit.ms).toBeLessThan(10_000);
  });
});

describe('main without its Redis', () => {
  it('is ready, and says that the queue is away', async () => {
    const service = start('main', { ...env, REDIS_URL: `redis://127.0.0.1:${await closedPort()}` });
    const url = await service.url();
    expect((await fetch(`${url}/api/version`)).status).toBe(200);
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', queue: 'away' }]);
  });
});

describe('main on a port that is in use', () => {
  it('says so, exits with 1 and leaves nothing half made', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    // A newcomer's start: everything embedded, with sample people whose passwords are shown once.
    const newcomer = { NODE_ENV: 'development', DEMO: 'on' };
    const first = start('main', { ...newcomer, PORT: `${port}` });
    expect(await first.exited).toMatchObject({ code: 1 });
    expect(first.stderr).toBe(`Port ${port} is in use. Set PORT to a free one.\n`);
    expect(existsSync(join(first.dataDir, 'postgres.lock'))).toBe(false);
    other.close();

    const second = start('main', newcomer, first.dataDir);
    const url = await second.url();
    expect(await (await fetch(`${url}/api/platform/1`)).json()).toMatchObject({ id: 1 });
    await second.said(/shown only now\):\n +\w+ +\S+@\S+ +\S+/);
    expect(await second.end()).toMatchObject({ code: 0 });
  });
});

describe('main that is told to end', () => {
  it('finishes what is in flight, and takes nothing new', async () => {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ id: number }>(
      `insert into platforms (name, slug) values ('P', 'p') returning id`,
    );
    await client.query(
      `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role)
       values ($1, 'admin@people.test', 'admin@people.test', 'A', 'a', 'admin')`,
      [rows[0]?.id],
    );
    const service = start('main', env);
    const url = await service.url();
    const post = (path: string, body: object, headers: Record<string, string>): Promise<Response> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const minted = await post(
      '/api/auth/token-for-email',
      { email: 'admin@people.test', platformId: rows[0]?.id },
      { 'x-service-secret': SECRET },
    );
    const { accessToken } = (await minted.json()) as { accessToken: string };

    await client.query('begin');
    await client.query('lock table keywords');
    const inFlight = post('/api/keyword', { title: 'In flight' }, { authorization: `Bearer ${accessToken}` });
    // Answered after the other request was taken in.
    await fetch(`${url}/health/live`);
    service.signal('SIGTERM');
    await eventually(() =>
      fetch(`${url}/health/live`).then(
        ({ status }) => status === 503,
        () => true,
      ),
    );
    await client.query('commit');
    const answer = await inFlight;
    expect([answer.status, ((await answer.json()) as [{ title: string }])[0].title]).toEqual([
      200,
      'In flight',
    ]);
    const exit = await service.exited;
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.ms).toBeLessThan(10_000);
    await client.end();
  });
});
