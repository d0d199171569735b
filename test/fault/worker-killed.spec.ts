import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { createTestDatabase, eventually, SmtpServer, type TestDatabase } from '#libs/testing';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const USERS = 200;
const AT_ONCE = 8;
const KILLS = 6;

/** API and worker as two processes, as they are deployed. */
(process.env.DATABASE_URL ? describe : describe.skip)('a worker that is killed while mails go out', () => {
  let database: TestDatabase;
  let client: Client;
  const smtp = new SmtpServer();
  let env: Record<string, string>;
  let platformId: number;
  let api: ServiceProcess;
  let worker: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await smtp.start();
    env = { DATABASE_URL: database.url, SMTP_URL: smtp.url, PUBLIC_URL: 'https://api.test' };
    if (process.env.REDIS_URL) env.REDIS_URL = process.env.REDIS_URL;
    const { rows } = await client.query<{ id: number }>(
      `insert into platforms (name, slug) values ('P', 'p') returning id`,
    );
    platformId = rows[0]?.id ?? 0;
    // Cheap to verify: this is no test of the hash.
    const passwordHash = await hash('correct horse battery', { memoryCost: 1024, timeCost: 1 });
    await client.query(
      `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role, status, "passwordHash")
       select $1, address, address, 'User', 'user', 'free', 'pending', $2
         from (select 'user' || n || '@people.test' as address from generate_series(1, $3::int) n) as addresses`,
      [platformId, passwordHash, USERS],
    );
  });
  afterAll(async () => {
    await api?.end('SIGKILL');
    await worker?.end('SIGKILL');
    await smtp.stop();
    await client.end();
    await database.drop();
  });

  it('loses none of them, and repeats one only under the same Message-ID', async () => {
    api = new ServiceProcess('main', env);
    const secrets = api.dataDir;
    const url = await api.url();
    const startWorker = (): ServiceProcess => new ServiceProcess('worker', env, secrets);
    worker = startWorker();

    let next = 1;
    const statuses: number[] = [];
    const signIn = async (): Promise<void> => {
      while (next <= USERS) {
        const email = `user${next++}@people.test`;
        const answer = await fetch(`${url}/api/user/signin`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: 'correct horse battery', PlatformId: platformId }),
        });
        statuses.push(answer.status);
        // So that the kills fall among them.
        await eventually(
          () => statuses.length - smtp.mails.length < USERS / KILLS || killed === KILLS,
          60_000,
        );
      }
    };
    let killed = 0;
    const kill = async (): Promise<void> => {
      while (killed < KILLS) {
        const sent = smtp.mails.length;
        const more = 1 + Math.floor(Math.random() * 15);
        await eventually(() => smtp.mails.length >= Math.min(sent + more, USERS), 60_000);
        await worker.end('SIGKILL');
        killed++;
        worker = startWorker();
        // Whoever held a lease is dead: it need not run out by itself.
        await client.query(
          `update outbox set "leaseUntil" = now() - interval '1 second', "handOverAt" = now()
            where "doneAt" is null and "leaseUntil" is not null`,
        );
        await worker.said(/Worker ready/);
      }
    };
    await Promise.all([kill(), ...Array.from({ length: AT_ONCE }, signIn)]);
    expect(statuses).toEqual(Array.from({ length: USERS }, () => 401));

    const { rows } = await eventually(async () => {
      // A hint that a killed worker had taken is given again after 30 seconds; here, at once.
      await client.query(
        `update outbox set "handOverAt" = now()
          where "doneAt" is null and "failedAt" is null and "leaseUntil" is null and attempts = 0`,
      );
      const found = await client.query<{ state: string; count: number }>(
        `select case when "doneAt" is not null then 'done' when "failedAt" is not null then 'failed' else 'open' end
                as state, count(*)::int as count from outbox group by 1`,
      );
      return found.rows.length === 1 && found;
    }, 60_000);
    expect(rows).toEqual([{ state: 'done', count: USERS }]);

    const ids = Map.groupBy(smtp.mails, ({ envelope }) => envelope.to.join());
    expect([...ids.keys()].toSorted()).toEqual(
      Array.from({ length: USERS }, (_, index) => `user${index + 1}@people.test`).toSorted(),
    );
    const messageIds = [...ids.values()].map((mails) => [
      ...new Set(mails.map(({ messageId }) => messageId)),
    ]);
    expect(messageIds.filter((own) => own.length !== 1 || !own[0])).toEqual([]);
    expect(new Set(messageIds.flat()).size).toBe(USERS);
    expect(await worker.end()).toMatchObject({ code: 0 });
    expect(await api.end()).toMatchObject({ code: 0 });
  });
});
