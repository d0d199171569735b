import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase, FaultProxy, type TestDatabase } from '#libs/testing';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(60_000);

const SECRET = 's'.repeat(32);
const ADMIN = { email: 'admin@people.test', platformId: 1 };

let database: TestDatabase;
let client: Client;
let proxy: FaultProxy;
const running: ServiceProcess[] = [];

/** An API process, and how to send something to it that is to be done once. */
async function start(url: string, dataDir?: string) {
  const env: Record<string, string> = { DATABASE_URL: url, SERVICE_SECRET: SECRET };
  if (process.env.REDIS_URL) env.REDIS_URL = process.env.REDIS_URL;
  const service = new ServiceProcess('main', env, dataDir);
  running.push(service);
  const base = await service.url();
  const post = (path: string, body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const minted = await post('/api/auth/token-for-email', ADMIN, { 'x-service-secret': SECRET });
  const { accessToken } = (await minted.json()) as { accessToken: string };
  const once = async (title: string, key: string) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'idempotency-key': key };
    const answer = await post('/api/content', { title, type: 'article' }, headers);
    return {
      status: answer.status,
      text: await answer.text(),
      replayed: answer.headers.get('idempotency-replayed'),
    };
  };
  return { service, once };
}

const stored = async (title: string): Promise<number> =>
  (await client.query('select 1 from contents where title like $1', [title])).rows.length;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into platforms (name, slug) values ('P', 'p')`);
  await client.query(
    `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role) values (1, $1, $1, 'Admin', 'admin', 'admin')`,
    [ADMIN.email],
  );
  proxy = await FaultProxy.before(database.url);
});
afterAll(async () => {
  for (const service of running) await service.end('SIGKILL');
  await proxy.close();
  await client.end();
  await database.drop();
});

it('a write whose answer was lost is stored once, and answered by whichever process it is sent to again', async () => {
  const first = await start(proxy.url);
  const second = await start(database.url, first.service.dataDir);

  const key = randomUUID();
  proxy.cutAfter('Lost on the way', 'commit\0');
  expect((await first.once('Lost on the way', key)).status).toBe(503);
  expect(await stored('Lost on the way')).toBe(1);
  const answers = [await second.once('Lost on the way', key), await first.once('Lost on the way', key)];
  expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
    [200, 'true'],
    [200, 'true'],
  ]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await stored('Lost on the way')).toBe(1);

  const keys = Array.from({ length: 30 }, () => randomUUID());
  const cutOff = keys.map((one, n) => first.once(`Killed ${n}`, one).catch(() => undefined));
  await Promise.race(cutOff);
  await first.service.end('SIGKILL');
  const before = await Promise.all(cutOff);
  const again = await Promise.all(keys.map((one, n) => second.once(`Killed ${n}`, one)));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  const answered = before.map((answer, n) => (answer?.status === 200 ? answer.text : again[n]?.text));
  expect(again.map(({ text }) => text)).toEqual(answered);
  expect(await stored('Killed %')).toBe(keys.length);
});
