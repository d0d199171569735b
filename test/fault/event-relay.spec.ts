import { Client } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '#libs/testing';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const ROUNDS = 3;

describe('processes that are killed while they number events', () => {
  let database: TestDatabase;
  let client: Client;
  let env: Record<string, string>;
  const running = new Set<ServiceProcess>();

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    env = { DATABASE_URL: database.url };
    if (process.env.REDIS_URL) env.REDIS_URL = process.env.REDIS_URL;
  });
  afterAll(async () => {
    for (const service of running) await service.end('SIGKILL');
    await client.end();
    await database.drop();
  });

  const start = async (): Promise<ServiceProcess> => {
    const worker = new ServiceProcess('worker', env);
    running.add(worker);
    await worker.said(/Worker ready/);
    return worker;
  };
  const last = async (): Promise<number> =>
    Number((await client.query<{ last: string }>('select last from event_counter')).rows[0]?.last);

  it('are followed by others within five seconds, and every event gets one number', async () => {
    let published = 0;
    const publish = async (): Promise<void> => {
      await client.query(
        `insert into events (name, payload, jobs) select 'test.happened', '{}', '{}' from generate_series(1, 50)`,
      );
      published += 50;
    };
    let one = await start();
    for (let round = 0; round < ROUNDS; round++) {
      const other = await start();
      await publish();
      // In the middle of its work, or before it.
      if (round % 2) await eventually(async () => (await last()) > 0);
      one.signal('SIGKILL');
      const killedAt = Date.now();
      await publish();
      await eventually(async () => (await last()) === published);
      expect(Date.now() - killedAt).toBeLessThan(5000);
      await one.exited;
      running.delete(one);
      one = other;
    }
    const { rows } = await client.query<{ numbers: number; from: number; until: number; left: number }>(
      `select count(distinct number)::int as numbers, min(number)::int as from, max(number)::int as until,
              (select count(*)::int from events) as left from numbered_events`,
    );
    expect(rows).toEqual([{ numbers: published, from: 1, until: published, left: 0 }]);
  });
});
