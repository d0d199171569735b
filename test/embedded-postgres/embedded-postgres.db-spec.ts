import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '#libs/embedded-postgres';
import { type ChildProcess, spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect as netConnect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

jest.setTimeout(30_000);

const library = join(__dirname, '../../libs/embedded-postgres/index.js');

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function count(url: string, sql: string): Promise<number> {
  return withClient(url, async (client) => (await client.query<{ n: number }>(sql)).rows[0]?.n ?? -1);
}

interface Protocol extends EventEmitter {
  stream: Socket;
  parse(query: { text: string; name: string; types: number[] }): void;
  bind(config: { values: unknown[] }): void;
  execute(config: object): void;
  sync(): void;
}

/** The driver's protocol level, for what its queries never do. */
const protocolOf = (client: Client): Protocol => (client as unknown as { connection: Protocol }).connection;

/** Starts the database in a process of its own, which prints a line once it has it. */
function spawnStarter(dataDir: string, then: string): { child: ChildProcess; firstLine: Promise<string> } {
  const script = `
    const { startEmbeddedPostgres } = require(${JSON.stringify(library)});
    const { Client } = require('pg');
    startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} }).then(async (database) => { ${then} });`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: join(__dirname, '../../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const firstLine = once(child.stdout, 'data').then(([data]) => String(data).trim());
  return { child, firstLine };
}

describe('startEmbeddedPostgres', () => {
  let dataDir: string;

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  });

  afterAll(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keeps the data over a clean restart and removes its URL file and lock', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    expect(first.owned).toBe(true);
    expect(statSync(join(dataDir, 'postgres.url')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(await findEmbeddedPostgres(dataDir)).toBe(first.url);
    await withClient(first.url, (client) => client.query('CREATE TABLE item AS SELECT 1 AS id'));
    await first.stop();
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    expect(() => readFileSync(join(dataDir, 'postgres.lock'))).toThrow('ENOENT');

    const second = await startEmbeddedPostgres({ dataDir });
    expect(await count(second.url, 'SELECT count(*)::int AS n FROM item')).toBe(1);
    await second.stop();
  });

  it('keeps committed rows and can be started again after kill -9 of the owner', async () => {
    const { child, firstLine } = spawnStarter(
      dataDir,
      `const client = new Client({ connectionString: database.url });
       await client.connect();
       await client.query('INSERT INTO item VALUES (2)');
       await client.query('BEGIN');
       await client.query('INSERT INTO item VALUES (3)');
       console.log('committed');`,
    );
    expect(await firstLine).toBe('committed');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const next = await startEmbeddedPostgres({ dataDir });
    expect(next.owned).toBe(true);
    expect(await count(next.url, 'SELECT max(id) AS n FROM item')).toBe(2);
    await next.stop();
  });

  it('takes over the lock of a killed host', async () => {
    const exits: string[] = [];
    const first = await startEmbeddedPostgres({ dataDir, onExit: (error) => exits.push(error.message) });
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'postgres.lock'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    while (exits.length === 0) await delay(10);
    expect(exits).toEqual(['the embedded database ended unexpectedly (SIGKILL)']);
    await first.stop();

    const next = await startEmbeddedPostgres({ dataDir });
    expect(next.owned).toBe(true);
    await next.stop();
  });

  it('runs one host when two processes start at the same moment', async () => {
    const report = `console.log(JSON.stringify({ owned: database.owned, url: database.url }));
                    process.stdin.once('end', () => database.stop()).resume();`;
    const starters = [spawnStarter(dataDir, report), spawnStarter(dataDir, report)];
    const results = (await Promise.all(starters.map(({ firstLine }) => firstLine))).map(
      (line) => JSON.parse(line) as { owned: boolean; url: string },
    );
    expect(results.filter(({ owned }) => owned)).toHaveLength(1);
    expect(new Set(results.map(({ url }) => url)).size).toBe(1);
    for (const { child } of starters) child.stdin?.end();
    await Promise.all(starters.map(({ child }) => once(child, 'exit')));
  });

  it('restarts on the same URL when a query blocks the host', async () => {
    const database = await startEmbeddedPostgres({ dataDir, maxBlockedMs: 2_000 });
    const blocked = withClient(database.url, (client) => client.query('SELECT pg_sleep(60)'));
    await expect(blocked).rejects.toThrow('Connection terminated');
    while ((await findEmbeddedPostgres(dataDir)) === null) await delay(50);
    expect(await count(database.url, 'SELECT max(id) AS n FROM item')).toBe(2);
    await database.stop();
  });
});

describe('startTemporaryPostgres', () => {
  let directory: string;
  let url: string;
  let database: TemporaryPostgres;
  let template: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    template = join(directory, 'template.tar');
    const original = await startTemporaryPostgres();
    await withClient(original.url, async (client) => {
      for (const name of ['vector', 'pg_trgm', 'unaccent', 'citext', 'btree_gin']) {
        await client.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
      }
      await client.query('CREATE TABLE item (id int PRIMARY KEY, embedding vector(2))');
      await client.query(`INSERT INTO item VALUES (1, '[1,2]')`);
    });
    await original.dump(template);
    await original.stop();
    database = await startTemporaryPostgres({ template });
    url = database.url;
  });

  afterAll(async () => {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('starts with the tables, rows and extensions of the template', async () => {
    expect(await count(url, `SELECT (embedding <-> '[1,2]')::int AS n FROM item`)).toBe(0);
  });

  it('sets search_path and time zone for every client, also after RESET ALL', async () => {
    await withClient(url, async (client) => {
      await client.query('SET search_path = pg_catalog');
      await client.query('RESET ALL');
      const { rows } = await client.query(
        `SELECT current_setting('search_path') AS path, current_setting('timezone') AS zone`,
      );
      expect(rows).toEqual([{ path: 'public, bullmq', zone: 'UTC' }]);
    });
  });

  it('refuses a wrong password', async () => {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(connect(wrong.href)).rejects.toThrow('password authentication failed');
  });

  it('cuts connections that begin no session', async () => {
    const { port } = new URL(url);
    const begin = Date.now();
    const silent = [0, 1].map(() => netConnect(Number(port), '127.0.0.1').resume());
    // One asks for encryption, as clients do first, and then says nothing.
    silent[1]?.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const client = await connect(url);
    await Promise.all(silent.map((socket) => once(socket, 'close')));
    expect(Date.now() - begin).toBeGreaterThan(4500);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('rolls back the open transaction of a dead socket', async () => {
    const client = await connect(url);
    await client.query('BEGIN');
    await client.query('INSERT INTO item VALUES (2)');
    const waiting = count(url, 'SELECT max(id) AS n FROM item');
    protocolOf(client).stream.destroy();
    expect(await waiting).toBe(1);
  });

  it('keeps parameters and named statements of concurrent clients apart', async () => {
    const padding = 'x'.repeat(200_000);
    const sums = await Promise.all(
      [1, 2, 3, 4].map((factor) =>
        withClient(url, async (client) => {
          const results: number[] = [];
          for (let value = 0; value < 10; value++) {
            const text = `SELECT $1::int * ${factor} AS n, length($2) AS length`;
            const { rows } = await client.query<{ n: number }>({
              name: 'same',
              text,
              values: [value, padding],
            });
            results.push(rows[0]?.n ?? -1);
          }
          return results;
        }),
      ),
    );
    const values = [...Array(10).keys()];
    expect(sums).toEqual([1, 2, 3, 4].map((factor) => values.map((value) => value * factor)));
  });

  it('keeps a batch together that another client interrupts before its Sync', async () => {
    const slow = await connect(url);
    const connection = protocolOf(slow);
    connection.parse({ text: `SELECT 'mine' AS text`, name: '', types: [] });
    const other = await withClient(url, (client) => client.query('SELECT $1::int AS n', [7]));
    expect(other.rows).toEqual([{ n: 7 }]);
    const row = once(connection, 'dataRow');
    connection.bind({ values: [] });
    connection.execute({});
    connection.sync();
    expect(String((await row)[0].fields[0])).toBe('mine');
    await slow.end();
  });

  it('delivers notifications to the listening clients only', async () => {
    const [listener, other] = [await connect(url), await connect(url)];
    const received: string[] = [];
    listener.on('notification', ({ payload }) => received.push(`listener ${payload}`));
    other.on('notification', ({ payload }) => received.push(`other ${payload}`));
    await listener.query('-- subscribe\nLISTEN news;\n');
    await other.query('LISTEN news');
    await other.query('UNLISTEN news');
    await withClient(url, (client) => client.query(`SELECT pg_notify('news', 'hello')`));
    await listener.query('SELECT 1');
    await other.query('SELECT 1');
    expect(received).toEqual(['listener hello']);
    await Promise.all([listener.end(), other.end()]);
  });

  it('answers COPY FROM STDIN with an error instead of ending', async () => {
    await withClient(url, async (client) => {
      await expect(client.query('COPY item FROM STDIN')).rejects.toThrow('not supported');
      expect((await client.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    });
  });
});
