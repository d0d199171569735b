import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase, eventually, FaultProxy, SmtpServer, type TestDatabase } from '#libs/testing';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(180_000);

const BACK_WITHIN_MS = 12_000;
const EVERY_MS = 150;

interface Answer {
  at: number;
  status: number;
}

/** Connections whose other end has gone without a word, as behind a firewall that forgot them; new ones work. */
(process.env.DATABASE_URL ? describe : describe.skip)('connections to the database that fall silent', () => {
  let database: TestDatabase;
  let proxy: FaultProxy;
  let platformId: number;
  const smtp = new SmtpServer();

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await FaultProxy.before(database.url);
    await smtp.start();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ id: number }>(
      `insert into platforms (name, slug) values ('P', 'p') returning id`,
    );
    platformId = rows[0]?.id ?? 0;
    await client.end();
  });
  afterAll(async () => {
    await smtp.stop();
    await proxy.close();
    await database.drop();
  });

  it.each(['Redis', 'PostgreSQL'])(
    'are given up for new ones, and every accepted sign-up mails (queue in %s)',
    async (queue) => {
      const env: Record<string, string> = {
        DATABASE_URL: proxy.url,
        SMTP_URL: smtp.url,
        PUBLIC_URL: 'https://api.test',
      };
      if (queue === 'Redis') env.REDIS_URL = process.env.REDIS_URL ?? '';
      const api = new ServiceProcess('main', env);
      const url = await api.url();
      const worker = new ServiceProcess('worker', env, api.dataDir);
      await worker.said(/Worker ready/);

      const answers: Answer[] = [];
      const accepted: string[] = [];
      const asking = new Set<Promise<void>>();
      const ask = (path: string, init?: RequestInit, onSuccess?: () => void): void => {
        const at = Date.now();
        const answered = fetch(`${url}${path}`, init)
          .then(async (response) => {
            await response.arrayBuffer();
            return response.status;
          })
          .catch(() => 0)
          .then((status) => {
            answers.push({ at, status });
            if (status === 200) onSuccess?.();
          })
          .finally(() => asking.delete(answered));
        asking.add(answered);
      };
      let next = 0;
      const signUp = (): void => {
        const email = `new${++next}.${queue.toLowerCase()}@people.test`;
        const body = JSON.stringify({ email, name: 'New', PlatformId: String(platformId) });
        const headers = { 'content-type': 'application/json' };
        ask('/api/user/signup', { method: 'POST', headers, body }, () => accepted.push(email));
      };
      const timer = setInterval(() => {
        signUp();
        ask(`/api/collection/${platformId}`);
      }, EVERY_MS);
      try {
        await eventually(() => accepted.length > 10);
        proxy.silenceOpen();
        const silentAt = Date.now();
        await wait(BACK_WITHIN_MS + 3000);
        clearInterval(timer);
        await Promise.all(asking);
        const late = answers.filter(({ at }) => at > silentAt + BACK_WITHIN_MS);
        expect(late.length).toBeGreaterThan(20);
        expect(late.filter(({ status }) => status !== 200)).toEqual([]);
        expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);

        const unmailed = (): string[] => {
          const mailed = new Set(smtp.mails.flatMap(({ envelope }) => envelope.to));
          return accepted.filter((email) => !mailed.has(email));
        };
        await eventually(() => unmailed().length === 0, 90_000).catch(() => undefined);
        expect(unmailed()).toEqual([]);
        expect(await worker.end()).toMatchObject({ code: 0 });
        expect(await api.end()).toMatchObject({ code: 0 });
      } finally {
        clearInterval(timer);
        await Promise.all([worker.end('SIGKILL'), api.end('SIGKILL')]);
      }
    },
  );
});
