import { Client } from 'pg';
import { createTestDatabase, eventually, SmtpServer, type TestDatabase } from '#libs/testing';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const POOLER = process.env.POOLER_URL;

/** PgBouncer as it comes, in the mode in which each transaction may have another connection. */
(POOLER ? describe : describe.skip)('two processes and a worker behind a pooler', () => {
  let database: TestDatabase;
  let client: Client;
  let platformId: number;
  let contentId: number;
  let services: ServiceProcess[] = [];
  let urls: string[];
  const smtp = new SmtpServer();

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await smtp.start();
    const id = async (text: string): Promise<number> =>
      (await client.query<{ id: number }>(`${text} returning id`)).rows[0]?.id ?? 0;
    platformId = await id(`insert into platforms (name, slug) values ('P', 'p')`);
    const userId = await id(`insert into users ("PlatformId", email, "emailKey", name, "nameKey", role)
      values (${platformId}, 'a@people.test', 'a@people.test', 'A', 'a', 'creator')`);
    contentId =
      await id(`insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "titleKey", "textKey", "teaserKey")
      values (${platformId}, ${userId}, 'An item', 'an-item', 'article', 'public', 'an item', '', '')`);
    const url = new URL(POOLER ?? '');
    url.pathname = new URL(database.url).pathname;
    // Without Redis: the queue is in the same database, behind the same pooler.
    const env = { DATABASE_URL: url.href, SMTP_URL: smtp.url, PUBLIC_URL: 'https://api.test' };
    const first = new ServiceProcess('main', env);
    services = [first];
    urls = [await first.url()];
    const second = new ServiceProcess('main', env, first.dataDir);
    const worker = new ServiceProcess('worker', env, first.dataDir);
    services.push(second, worker);
    urls.push(await second.url());
    await worker.said(/Worker ready/);
  });
  afterAll(async () => {
    for (const service of services) await service.end('SIGKILL');
    await smtp.stop();
    await client.end();
    await database.drop();
  });

  it('answer everything as without one, prepared statements among it', async () => {
    const statuses: number[] = [];
    const ask = async (n: number): Promise<void> => {
      const sort = n % 4 < 2 ? 'asc' : 'desc';
      const paths = [
        `/api/chat?contentId=${contentId}&itemsPerPage=${1 + (n % 100)}&sort=createdAt:${sort}`,
        `/api/collection/${platformId}?limit=${1 + (n % 50)}`,
      ];
      const response = await fetch(`${urls[n % 2]}${paths[(n >> 1) % 2]}`);
      await response.arrayBuffer();
      statuses.push(response.status);
    };
    let next = 0;
    const asking = async (): Promise<void> => {
      while (next < 500) await ask(next++);
    };
    await Promise.all(Array.from({ length: 16 }, asking));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('do what waits in the queue, in the same database', async () => {
    const emails = Array.from({ length: 10 }, (_, n) => `new${n}@people.test`);
    for (const [n, email] of emails.entries()) {
      const { status } = await fetch(`${urls[n % 2]}/api/user/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, name: 'New', PlatformId: String(platformId) }),
      });
      expect(status).toBe(200);
    }
    await eventually(() => {
      const mailed = new Set(smtp.mails.flatMap(({ envelope }) => envelope.to));
      return emails.every((email) => mailed.has(email));
    }, 30_000);
  });

  it('end in order, and had little to say', async () => {
    for (const service of services) expect(await service.end()).toMatchObject({ code: 0 });
    const [, , worker] = services;
    expect(worker?.stdout.match(/The queue is away/g) ?? []).toEqual([]);
  });
});
