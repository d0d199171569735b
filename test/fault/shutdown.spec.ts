import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase, eventually, SmtpServer, type TestDatabase } from '#libs/testing';
import { Senders } from '../support/senders';
import { closedPort, ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const SECRET = 's'.repeat(32);
const ROUNDS = 2;

let database: TestDatabase;
let client: Client;
let env: Record<string, string>;
let platformId: number;
const running: ServiceProcess[] = [];
const start = (...parameters: ConstructorParameters<typeof ServiceProcess>): ServiceProcess => {
  const service = new ServiceProcess(...parameters);
  running.push(service);
  return service;
};

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  env = { DATABASE_URL: database.url, SERVICE_SECRET: SECRET, PUBLIC_URL: 'https://api.test' };
  if (process.env.REDIS_URL) env.REDIS_URL = process.env.REDIS_URL;
  const { rows } = await client.query<{ id: number }>(
    `insert into platforms (name, slug) values ('P', 'p') returning id`,
  );
  platformId = rows[0]?.id ?? 0;
  await client.query(
    `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role)
     values ($1, 'ada@people.test', 'ada@people.test', 'Ada', 'ada', 'free')`,
    [platformId],
  );
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.end('SIGKILL');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('an API that is told to end under load', () => {
  const minted = async (): Promise<number> => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from sessions');
    return rows[0]?.count ?? 0;
  };

  it.each([0, 300])('answers all that was sent, with %i ms for load balancers', async (delay) => {
    for (let round = 0; round < ROUNDS; round++) {
      const service = start('main', { ...env, SHUTDOWN_DELAY_MS: `${delay}` });
      const senders = new Senders(await service.url());
      const before = await minted();
      let writes = 0;
      const read = { method: 'GET', path: `/api/platform/${platformId}` } as const;
      const write = {
        method: 'POST',
        path: '/api/auth/token-for-email',
        headers: { 'x-service-secret': SECRET },
        body: { email: 'ada@people.test', platformId },
      } as const;
      senders.start(4, true, () => read);
      senders.start(2, true, () => (writes++, write));
      senders.start(2, false, () => (writes++, write));
      senders.start(2, false, () => read);
      await eventually(() => senders.outcomes.answered > 50);
      const exit = await service.end();
      const { answered, refused, lost } = await senders.done();
      expect(lost).toEqual([]);
      expect(exit).toMatchObject({ code: 0, signal: null });
      expect(exit.ms).toBeLessThan(10_000);
      expect(answered + refused).toBeGreaterThan(50);
      // Of each sender the last write found no connection.
      expect((await minted()) - before).toBeGreaterThanOrEqual(writes - 4 - refused);
    }
  });

  it('serves on while load balancers notice: not ready, and each connection ends with its answer', async () => {
    const service = start('main', { ...env, SHUTDOWN_DELAY_MS: '3000' });
    const url = await service.url();
    const kept = connect(Number(new URL(url).port), '127.0.0.1');
    const ask = (path: string): boolean => kept.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    let heard = '';
    kept.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    ask('/api/version');
    await eventually(() => heard.includes('"version"'));
    expect(heard).toMatch(/^connection: keep-alive/im);
    service.signal('SIGTERM');
    await service.said(/shutting down/);

    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after'), ready.headers.get('connection')]).toEqual([
      503,
      '2',
      'close',
    ]);
    const id = ready.headers.get('x-request-id');
    expect(await ready.json()).toMatchObject({ error: { code: 'UNAVAILABLE', requestId: id } });
    const live = await fetch(`${url}/health/live`);
    const served = await fetch(`${url}/api/platform/${platformId}`);
    expect([live.status, served.status, served.headers.get('connection')]).toEqual([200, 200, 'close']);

    heard = '';
    ask('/api/version');
    await once(kept, 'end');
    expect(heard).toMatch(/^HTTP\/1.1 200/);
    expect(heard).toMatch(/^connection: close/im);
    expect(await service.exited).toMatchObject({ code: 0 });
  });

  it('waits for nobody who has a connection and says nothing', async () => {
    const service = start('main', env);
    const port = Number(new URL(await service.url()).port);
    const silent = connect(port, '127.0.0.1');
    const half = connect(port, '127.0.0.1');
    await Promise.all([once(silent, 'connect'), once(half, 'connect')]);
    half.write('GET / HTTP/1.1\r\nHost:');
    for (const socket of [silent, half]) socket.on('error', () => undefined);
    const exit = await service.end();
    expect(exit).toMatchObject({ code: 0 });
    expect(exit.ms).toBeLessThan(5000);
  });
});

describe('an API that waits for its database', () => {
  it('lives, and tells all others when to come back, on the port that serves once it is there', async () => {
    const [port, databasePort] = [await closedPort(), await closedPort()];
    const away = new URL(database.url);
    away.port = `${databasePort}`;
    const service = start('main', { ...env, PORT: `${port}`, DATABASE_URL: away.href });
    await service.said(/waiting for it/);
    const url = `http://127.0.0.1:${port}`;
    const live = await fetch(`${url}/health/live`);
    expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    for (const [method, path] of [
      ['GET', '/health/ready'],
      ['GET', '/api/platform/1?x=1'],
      ['POST', '/api/user/signin'],
    ] as const) {
      const body = method === 'POST' ? JSON.stringify({ filler: 'x'.repeat(300_000) }) : undefined;
      const headers = { 'x-request-id': 'given-by-client' };
      const answer = await fetch(`${url}${path}`, { method, body, headers });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(answer.headers.get('x-request-id')).toBe('given-by-client');
      expect(await answer.json()).toEqual({
        error: {
          status: 503,
          code: 'UNAVAILABLE',
          message: expect.any(String),
          requestId: 'given-by-client',
        },
      });
    }

    const statuses = new Set<number>();
    let asking = true;
    const watching = (async () => {
      while (asking) statuses.add(await fetch(`${url}/health/live`).then(({ status }) => status));
    })();
    const proxy = createServer((socket) => {
      const upstream = connect(Number(new URL(database.url).port), new URL(database.url).hostname);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    }).listen(databasePort, '127.0.0.1');
    await service.url();
    asking = false;
    await watching;
    expect([...statuses]).toEqual([200]);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await service.end()).toMatchObject({ code: 0 });
    proxy.close();
  });
});

describe.each(['main', 'worker'] as const)('%s, told to end while it waits for its database,', (entry) => {
  it('ends at once, and in order', async () => {
    const away = new URL(database.url);
    away.port = `${await closedPort()}`;
    const service = start(entry, { ...env, DATABASE_URL: away.href });
    await service.said(/waiting for it/);
    const exit = await service.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    // It would wait for a minute.
    expect(exit.ms).toBeLessThan(10_000);
  });
});

describe('a worker that is told to end', () => {
  it('gives back the mail that a slow server has not taken, and another sends it', async () => {
    let slow = true;
    const ended = new AbortController();
    const smtp = new SmtpServer();
    smtp.beforeTaking = async () => {
      if (slow) await wait(25_000, null, { signal: ended.signal }).catch(() => undefined);
      if (slow) throw new Error('on purpose');
    };
    await smtp.start();
    const mailing = { ...env, SMTP_URL: smtp.url };
    const api = start('main', mailing);
    const url = await api.url();
    const first = start('worker', mailing, api.dataDir);
    await first.said(/Worker ready/);
    await fetch(`${url}/api/user/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@people.test', PlatformId: platformId }),
    });
    const leased = async (): Promise<unknown[]> =>
      (
        await client.query(
          `select attempts, error from outbox where job = 'mail.send' and "leaseUntil" is not null`,
        )
      ).rows;
    await eventually(async () => (await leased()).length === 1);
    const exit = await first.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.ms).toBeLessThan(10_000);
    const { rows } = await client.query(
      `select attempts, "leaseUntil", "failedAt", error from outbox where job = 'mail.send'`,
    );
    expect(rows).toEqual([{ attempts: 0, leaseUntil: null, failedAt: null, error: null }]);
    slow = false;
    ended.abort();
    start('worker', mailing, api.dataDir);
    await eventually(() => smtp.mails.length === 1, 30_000);
    await smtp.stop();
  });
});

describe('a signal to the whole process group', () => {
  const grouped: number[] = [];
  afterEach(() => {
    for (const group of grouped.splice(0)) process.kill(-group, 'SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends the embedded database last', async (signal) => {
    const entry = require.resolve('../../src/main.js');
    const dataDir = mkdtempSync(join(tmpdir(), 'community-group-'));
    const child = spawn(process.execPath, [entry], {
      env: { PATH: process.env.PATH, NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    grouped.push(child.pid ?? 0);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => said.includes('Listening on'), 60_000);
    process.kill(-(child.pid ?? 0), signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    grouped.pop();
    expect(said).not.toMatch(/unexpectedly|"level":[4-6]0/);
  });
});
