import { randomBytes } from 'node:crypto';
import { Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Queue } from 'bullmq';
import { Sealer } from '#libs/crypto';
import { Database, DatabaseModule, openDatabase, type OpenDatabase, sql } from '#libs/database';
import { createLogger, NestLogger } from '#libs/logging';
import { createTestDatabase, eventually, type TestDatabase, testLogFile } from '#libs/testing';
import {
  defineJob,
  handle,
  type Handlers,
  type JobContext,
  type JobDefinition,
  JobProcessor,
  JobRunner,
  openQueueBackend,
  Outbox,
  type QueueBackend,
  QueueModule,
  QueueWorkerModule,
  Sweeper,
} from './index';
import { QUEUES } from './relay';

// Redis may be shared with other runs: each has queues of its own.
const QUEUE = `test-${randomBytes(4).toString('hex')}`;

interface Work {
  name: string;
}
const PLAIN = defineJob<Work>(`${QUEUE}.plain`, { attempts: 3, delay: () => 0, leaseSeconds: 30 });
const SEALED = defineJob<Work>(`${QUEUE}.sealed`, { attempts: 2, delay: () => 3600, sealed: true });

type Handler = (work: Work, job: JobContext) => Promise<void>;
const none: Handler = () => Promise.resolve();
/** What the handlers do in the test at hand, and what they were called with. */
let handler: Handler;
let calls: { name: string; id: string; attempt: number }[] = [];

@Processor(QUEUE, { concurrency: 4 })
class TestProcessor extends JobProcessor {
  readonly handlers: Handlers = new Map([handle(PLAIN, call), handle(SEALED, call)]);

  constructor(runner: JobRunner) {
    super(runner);
  }
}

const call: Handler = async (work, job) => {
  calls.push({ name: work.name, id: job.id, attempt: job.attempt });
  await handler(work, job);
};

@Module({})
class TestModule {}

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let backend: QueueBackend;
let worker: TestingModule;
let db: Database;
let outbox: Outbox;
let queue: Queue;

/** The modules of a process that can run jobs. */
function compile(jobs: JobDefinition[], processors: Type[]): Promise<TestingModule> {
  const module: DynamicModule = {
    module: TestModule,
    imports: [
      DatabaseModule.forRoot(opened.dataSource),
      QueueModule.forRoot({ backend, jobs, sealer: new Sealer(['a key of this test']) }),
      QueueWorkerModule,
    ],
    providers: processors,
  };
  return Test.createTestingModule({ imports: [module] })
    .setLogger(new NestLogger(createLogger('info', testLogFile())))
    .compile();
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { url, embedded } = testDatabase;
  opened = await openDatabase({ url, dataDir: '.cache', entities: [], migrations: [], migrate: false });
  backend = openQueueBackend({ redisUrl: process.env.REDIS_URL, databaseUrl: url, embedded });
  worker = await compile([PLAIN, SEALED], [TestProcessor]);
  await worker.init();
  // Sweeps happen when a test asks for one.
  await worker.get(Sweeper, { strict: false }).onApplicationShutdown();
  db = worker.get(Database);
  outbox = worker.get(Outbox, { strict: false });
  [queue] = worker.get<[Queue]>(QUEUES, { strict: false });
});
afterAll(async () => {
  await queue.obliterate({ force: true });
  await worker.close();
  await backend.close();
  await opened.close();
  await testDatabase.drop();
});
beforeEach(() => {
  handler = none;
  calls = [];
});

interface Row {
  id: string;
  payload: string | null;
  attempts: number;
  done: boolean;
  failed: boolean;
  error: string | null;
  leased: boolean;
}

const rows = (): Promise<Row[]> =>
  db.rows<Row>(sql`
    select id::text, payload, attempts, error, "doneAt" is not null as done, "failedAt" is not null as failed,
           "leaseUntil" is not null as leased from outbox order by outbox.id`);
const last = async (): Promise<Row> => (await rows()).at(-1) as Row;
const sweep = (): Promise<number> => worker.get(Sweeper, { strict: false }).sweep();
const run = (id: string): Promise<void> =>
  worker
    .get(JobRunner, { strict: false })
    .run(id, PLAIN, call as (work: unknown, job: JobContext) => Promise<void>);
/** A row that no worker has been told of. */
const addSilently = async (name: string): Promise<string> => {
  const row = await db.row<{ id: string }>(sql`
    insert into outbox (job, payload, "handOverAt")
    values (${PLAIN.name}, ${JSON.stringify({ name })}, now() + interval '1 hour') returning id::text`);
  return row?.id ?? '';
};
const done = (id: string): Promise<Row> =>
  eventually(async () => (await rows()).find((row) => row.id === id && row.done));

describe('a job', () => {
  it('runs once, after the commit of whoever wanted it, and its payload goes', async () => {
    await db.transaction(async () => {
      await outbox.add(PLAIN, { name: 'wanted' });
      expect(calls).toEqual([]);
    });
    const { id } = await last();
    const row = await done(id);
    expect(calls).toEqual([{ name: 'wanted', id, attempt: 1 }]);
    expect(row).toMatchObject({ payload: null, error: null, attempts: 1, leased: false, failed: false });
    await eventually(async () => (await queue.getJob(`${id}-0`)) === undefined);
  });

  it('does not run when that is rolled back', async () => {
    const before = await rows();
    const failed = db.transaction(async () => {
      await outbox.add(PLAIN, { name: 'unwanted' });
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    await outbox.add(PLAIN, { name: 'after it' });
    await done((await last()).id);
    expect(calls.map(({ name }) => name)).toEqual(['after it']);
    expect(await rows()).toHaveLength(before.length + 1);
  });

  it('that is done does not run again, however often a worker is told', async () => {
    await outbox.add(PLAIN, { name: 'once' });
    const { id } = await last();
    await done(id);
    await run(id);
    await Promise.all([run(id), run(id)]);
    expect(calls).toHaveLength(1);
  });

  it('runs once when many workers are told at the same moment', async () => {
    const id = await addSilently('contested');
    await Promise.all(Array.from({ length: 8 }, () => run(id)));
    expect(calls).toEqual([{ name: 'contested', id, attempt: 1 }]);
  });

  it('that is not due waits, and is told of when it is', async () => {
    await outbox.add(PLAIN, { name: 'later' }, new Date(Date.now() + 3_600_000));
    const { id } = await last();
    await run(id);
    await sweep();
    expect([calls, (await last()).attempts]).toEqual([[], 0]);
    await db.execute(sql`update outbox set "dueAt" = now(), "handOverAt" = now() where id = ${id}::bigint`);
    await sweep();
    await done(id);
    expect(calls).toEqual([{ name: 'later', id, attempt: 1 }]);
  });
});

describe('a job that fails', () => {
  it('is tried again, under the same id, until it works', async () => {
    handler = async (_, { attempt }) => {
      if (attempt < 3) throw new Error(`attempt ${attempt} fails on purpose`);
    };
    await outbox.add(PLAIN, { name: 'stubborn' });
    const { id } = await last();
    const row = await eventually(async () => {
      await sweep();
      return (await rows()).find((one) => one.id === id && one.done);
    });
    expect(calls).toEqual([1, 2, 3].map((attempt) => ({ name: 'stubborn', id, attempt })));
    expect(row).toMatchObject({ attempts: 3, payload: null, error: null });
  });

  it('each time is failed for good, with its reason and without its payload', async () => {
    handler = () => Promise.reject(new Error('it never works'));
    await outbox.add(PLAIN, { name: 'hopeless' });
    const { id } = await last();
    const row = await eventually(async () => {
      await sweep();
      return (await rows()).find((one) => one.id === id && one.failed);
    });
    expect(calls).toHaveLength(3);
    expect(row).toMatchObject({ attempts: 3, payload: null, error: 'it never works', done: false });
    await run(id);
    expect(calls).toHaveLength(3);
  });

  it('waits as long as its job says', async () => {
    handler = () => Promise.reject(new Error('not now'));
    await outbox.add(SEALED, { name: 'slow' });
    const { id } = await last();
    await eventually(async () => (await last()).error === 'not now');
    const [row] = await db.rows<{ seconds: number }>(
      sql`select extract(epoch from "handOverAt" - now())::int as seconds from outbox where id = ${id}::bigint`,
    );
    expect(row?.seconds).toBeGreaterThan(3500);
    await sweep();
    expect(calls).toHaveLength(1);
    await db.execute(sql`delete from outbox where id = ${id}::bigint`);
  });

  it('by taking its worker down each time is failed for good too', async () => {
    const id = await addSilently('poison');
    for (let attempt = 1; attempt <= 3; attempt++) {
      // What a worker that dies leaves behind: the claim, and nothing else.
      await db.execute(sql`update outbox set attempts = attempts + 1, "leaseUntil" = now() - interval '1 second'
                            where id = ${id}::bigint`);
    }
    await run(id);
    expect(calls).toEqual([]);
    expect(await last()).toMatchObject({
      id,
      failed: true,
      payload: null,
      error: expect.stringContaining('worker'),
    });
  });
});

describe('a worker that falls silent', () => {
  it('keeps the job until its lease is over; then another gets it, and the first has no say', async () => {
    const { promise: stuck, resolve: release } = Promise.withResolvers<void>();
    handler = (_, { attempt }) => (attempt === 1 ? stuck : Promise.resolve());
    await outbox.add(PLAIN, { name: 'leased' });
    await eventually(() => calls.length === 1);
    const { id } = await last();
    await run(id);
    expect(await sweep()).toBe(0);
    expect(calls).toHaveLength(1);

    await db.execute(sql`update outbox set "leaseUntil" = now() - interval '1 second', "handOverAt" = now()
                          where id = ${id}::bigint`);
    expect(await sweep()).toBe(1);
    await done(id);
    expect(calls.map(({ attempt, id: own }) => [own, attempt])).toEqual([
      [id, 1],
      [id, 2],
    ]);
    release();
    await eventually(async () => (await queue.getJob(`${id}-0`)) === undefined);
    expect(await last()).toMatchObject({ attempts: 2, done: true });
  });

  it('and fails late does not undo what another has done', async () => {
    const { promise: stuck, reject } = Promise.withResolvers<void>();
    handler = (_, { attempt }) => (attempt === 1 ? stuck : Promise.resolve());
    const id = await addSilently('late');
    const first = run(id);
    await eventually(() => calls.length === 1);
    await db.execute(
      sql`update outbox set "leaseUntil" = now() - interval '1 second' where id = ${id}::bigint`,
    );
    await run(id);
    reject(new Error('too late'));
    await first;
    expect(await last()).toMatchObject({ attempts: 2, done: true, failed: false, error: null });
  });
});

describe('a hint that gets lost', () => {
  it('is given again by the sweeper', async () => {
    const id = await addSilently('forgotten');
    expect(await sweep()).toBe(0);
    await db.execute(sql`update outbox set "handOverAt" = now() where id = ${id}::bigint`);
    expect(await sweep()).toBe(1);
    await done(id);
    expect(calls).toEqual([{ name: 'forgotten', id, attempt: 1 }]);
  });

  it('after it was handed over is given again when its time is over', async () => {
    await queue.pause();
    await outbox.add(PLAIN, { name: 'lost' });
    const { id } = await last();
    const hint = await eventually(() => queue.getJob(`${id}-0`));
    await hint.remove();
    await queue.resume();
    expect(await sweep()).toBe(0);
    await db.execute(sql`update outbox set "handOverAt" = now() where id = ${id}::bigint`);
    expect(await sweep()).toBe(1);
    await done(id);
    expect(calls).toEqual([{ name: 'lost', id, attempt: 1 }]);
  });

  it('is given once when several sweepers look at the same moment', async () => {
    const ids = [];
    for (let index = 0; index < 20; index++) ids.push(await addSilently(`swept ${index}`));
    await db.execute(sql`update outbox set "handOverAt" = now() where id = any(${ids}::bigint[])`);
    const taken = await Promise.all([sweep(), sweep(), sweep()]);
    expect(taken.reduce((sum, count) => sum + count)).toBe(20);
    for (const id of ids) await done(id);
    expect(calls).toHaveLength(20);
  });
});

describe('a sealed payload', () => {
  it('is unreadable while it waits, whole for the handler, and gone afterwards', async () => {
    await db.transaction(async () => {
      await outbox.add(SEALED, { name: 'ada@example.org' });
      const { payload } = await last();
      expect(payload).toMatch(/^v1\.[\w-]+$/);
      expect(payload).not.toContain('ada');
    });
    const { id } = await last();
    await done(id);
    expect(calls).toEqual([{ name: 'ada@example.org', id, attempt: 1 }]);
    expect((await last()).payload).toBeNull();
  });
});

describe('a worker process', () => {
  const LOOSE = defineJob<Work>(`${QUEUE}.loose`);

  @Processor(QUEUE)
  class Loose extends TestProcessor {
    override readonly handlers: Handlers = new Map([handle(LOOSE, none)]);
  }
  @Processor(QUEUE)
  class LooseToo extends TestProcessor {
    override readonly handlers: Handlers = new Map([handle(LOOSE, none)]);
  }

  it('does not start with a queue that has two processors, or a processor of a job that is not declared', async () => {
    const both = await compile([LOOSE, PLAIN, SEALED], [Loose, TestProcessor]);
    await expect(both.init()).rejects.toThrow(`"${QUEUE}" has 2 processors`);
    await both.close();
    const undeclared = await compile([], [Loose]);
    await expect(undeclared.init()).rejects.toThrow(`"${LOOSE.name}" is handled but not declared`);
    await undeclared.close();
  });

  it('does not start with a handler in the processor of another queue', async () => {
    @Processor(`${QUEUE}-other`)
    class Elsewhere extends TestProcessor {
      override readonly handlers: Handlers = new Map([handle(LOOSE, none)]);
    }
    const module = await compile([LOOSE], [Elsewhere]);
    await expect(module.init()).rejects.toThrow(`"${LOOSE.name}" has its handler in the processor of`);
    await module.close();
  });

  it('does not start with two jobs of one name', () => {
    expect(() => defineJob(LOOSE.name as `${string}.${string}`)).toThrow(`"${LOOSE.name}" is declared twice`);
  });

  it.each([
    ['nobody handles', [TestProcessor], 0],
    ['two handle', [Loose, LooseToo], 2],
  ])('does not start with a job that %s', async (_, processors, count) => {
    const module = await compile([LOOSE], processors);
    await expect(module.init()).rejects.toThrow(`"${LOOSE.name}" has ${count} handlers`);
    await module.close();
  });
});
