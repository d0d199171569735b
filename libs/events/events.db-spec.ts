import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Processor } from '@nestjs/bullmq';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Sealer } from '#libs/crypto';
import { Database, DatabaseModule, openDatabase, type OpenDatabase, sql } from '#libs/database';
import { createLogger, NestLogger } from '#libs/logging';
import {
  handle,
  type Handlers,
  JobProcessor,
  JobRunner,
  openQueueBackend,
  type QueueBackend,
  QueueModule,
  QueueWorkerModule,
  Sweeper,
} from '#libs/queue';
import { createTestDatabase, eventually, type TestDatabase, testLogFile } from '#libs/testing';
import {
  defineEvent,
  defineListener,
  During,
  EventFeed,
  EventRelay,
  Events,
  EventsModule,
  EventsWorkerModule,
  ForgetEvents,
  ForgottenEventsError,
  type Heard,
  type NumberedEvent,
} from '.';

// Redis may be shared with other runs: each has queues of its own.
const QUEUE = `test-${randomBytes(4).toString('hex')}`;

interface Thing {
  id: number;
}
const HAPPENED = defineEvent<Thing, string>('test.happened');
const DELETED = defineEvent<Thing, string>('test.deleted');
const LEFT = defineListener(HAPPENED, `${QUEUE}.left`);
const RIGHT = defineListener(HAPPENED, `${QUEUE}.right`);
const STUBBORN = defineListener(DELETED, `${QUEUE}.stubborn`, { attempts: 2, delay: () => 3600 });
const CALM = defineListener(DELETED, `${QUEUE}.calm`);
const JOBS = [LEFT, RIGHT, STUBBORN, CALM];

/** What each listener was given. */
const heard = new Map<string, Heard<Thing>[][]>();
const idsOf = (listener: { name: string }): number[] =>
  (heard.get(listener.name) ?? []).flatMap((list) => list.map(({ payload }) => payload.id));
const hear = (listener: { name: string }) => async (list: Heard<Thing>[]) => {
  heard.set(listener.name, [...(heard.get(listener.name) ?? []), list]);
};
const POISON = 666;

@Processor(QUEUE, { concurrency: 4 })
class TestProcessor extends JobProcessor {
  readonly handlers: Handlers = new Map([
    handle(LEFT, hear(LEFT)),
    handle(RIGHT, hear(RIGHT)),
    handle(CALM, hear(CALM)),
    handle(STUBBORN, async (list) => {
      if (list.some(({ payload }) => payload.id === POISON)) throw new Error('poison');
      await hear(STUBBORN)(list);
    }),
  ]);

  constructor(runner: JobRunner) {
    super(runner);
  }
}

@Injectable()
class Holder {
  constructor(private readonly db: Database) {}

  @During(DELETED)
  async forget({ id }: Thing): Promise<string> {
    if (id === 13) throw new Error('refused');
    await this.db.execute(sql`insert into outbox (job, "doneAt") values (${`forgot ${id}`}, now())`);
    return `forgot ${id}`;
  }
}

@Module({})
class TestModule {}

interface Process {
  module: TestingModule;
  db: Database;
  events: Events;
  feed: EventFeed;
  close(): Promise<void>;
}

let testDatabase: TestDatabase;
let backend: QueueBackend;
let one: Process;
let other: Process;

/** All that a process has, a pool of its own too. */
async function startProcess(): Promise<Process> {
  const { url, embedded } = testDatabase;
  const opened: OpenDatabase = await openDatabase({
    url,
    dataDir: '.cache',
    entities: [],
    migrations: [],
    migrate: false,
  });
  const root: DynamicModule = {
    module: TestModule,
    imports: [
      DatabaseModule.forRoot(opened.dataSource),
      QueueModule.forRoot({ backend, jobs: JOBS, sealer: new Sealer(['a key of this test']) }),
      QueueWorkerModule,
      EventsModule.forRoot({ url, embedded, pooled: false }),
      EventsWorkerModule,
    ],
    providers: [TestProcessor, Holder],
  };
  const module = await Test.createTestingModule({ imports: [root] })
    .setLogger(new NestLogger(createLogger('info', testLogFile())))
    .compile();
  await module.init();
  return {
    module,
    db: module.get(Database),
    events: module.get(Events, { strict: false }),
    feed: module.get(EventFeed, { strict: false }),
    close: async () => {
      await module.close();
      await opened.close();
    },
  };
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { url, embedded } = testDatabase;
  backend = openQueueBackend({ redisUrl: process.env.REDIS_URL, databaseUrl: url, embedded });
  one = await startProcess();
  other = await startProcess();
});
afterAll(async () => {
  await one.close();
  await other.close();
  await backend.close();
  await testDatabase.drop();
});
beforeEach(() => heard.clear());

/** Takes events off the feed until it has this one. */
async function upTo(
  process: Process,
  after: number,
  isLast: (event: NumberedEvent) => boolean,
): Promise<NumberedEvent[]> {
  const ended = new AbortController();
  const seen: NumberedEvent[] = [];
  for await (const event of process.feed.after(after, ended.signal)) {
    seen.push(event);
    if (isLast(event)) ended.abort();
  }
  return seen;
}
const withId =
  (id: number) =>
  ({ payload }: NumberedEvent): boolean =>
    (payload as Thing).id === id;

describe('an event', () => {
  it('is told to each listener and on the feed, in every process', async () => {
    const before = await one.feed.last();
    const seen = [upTo(one, before, withId(1)), upTo(other, before, withId(1))];
    await one.events.publish(HAPPENED, { id: 1 });
    const expected = [{ number: before + 1, name: 'test.happened', payload: { id: 1 } }];
    expect(await Promise.all(seen)).toEqual([expected, expected]);
    await eventually(() => idsOf(LEFT).length > 0 && idsOf(RIGHT).length > 0);
    expect([idsOf(LEFT), idsOf(RIGHT), idsOf(CALM)]).toEqual([[1], [1], []]);
    expect(heard.get(LEFT.name)).toEqual([[{ number: before + 1, payload: { id: 1 } }]]);
  });

  it('of a transaction that is rolled back is never seen, and leaves no gap', async () => {
    const before = await one.feed.last();
    const unwanted = one.db.transaction(async () => {
      await one.events.publish(HAPPENED, { id: 2 });
      throw new Error('on purpose');
    });
    await expect(unwanted).rejects.toThrow('on purpose');
    await one.events.publish(HAPPENED, { id: 3 });
    const seen = await upTo(other, before, withId(3));
    expect(seen).toEqual([{ number: before + 1, name: 'test.happened', payload: { id: 3 } }]);
    await eventually(() => idsOf(LEFT).length > 0 && idsOf(RIGHT).length > 0);
    expect([idsOf(LEFT), idsOf(RIGHT)]).toEqual([[3], [3]]);
  });

  it('is told again to a listener whose worker died, under the same number', async () => {
    const before = await one.feed.last();
    await one.events.publish(HAPPENED, { id: 4 });
    await eventually(() => idsOf(LEFT).length > 0 && idsOf(RIGHT).length > 0);
    // As after a worker that ended before it could say that it was done.
    const payload = JSON.stringify([{ number: before + 1, payload: { id: 4 } }]);
    await eventually(() =>
      one.db.execute(sql`
        update outbox set "doneAt" = null, payload = ${payload}, "leaseUntil" = now() - interval '1 second',
               "handOverAt" = now()
         where id = (select max(id) from outbox where job = ${LEFT.name}) and "doneAt" is not null`),
    );
    await one.module.get(Sweeper, { strict: false }).sweep();
    await eventually(() => idsOf(LEFT).length === 2);
    expect(heard.get(LEFT.name)).toEqual(Array(2).fill([{ number: before + 1, payload: { id: 4 } }]));
  });
});

describe('a listener during the transaction', () => {
  const forgot = (id: number): Promise<unknown[]> =>
    one.db.rows(sql`select 1 from outbox where job = ${`forgot ${id}`}`);

  it('works in it, and its answer is told to who publishes', async () => {
    expect(await one.events.publish(DELETED, { id: 20 }, { id: 21 })).toEqual(['forgot 20', 'forgot 21']);
    expect([await forgot(20), await forgot(21)].flat()).toHaveLength(2);
    await eventually(() => idsOf(CALM).length === 2 && idsOf(STUBBORN).length === 2);
  });

  it('may refuse what was to happen', async () => {
    const before = await one.feed.last();
    const refused = one.db.transaction(async () => {
      await one.events.publish(DELETED, { id: 22 });
      await one.events.publish(DELETED, { id: 13 });
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await forgot(22)).toEqual([]);
    await one.events.publish(HAPPENED, { id: 23 });
    expect(await upTo(one, before, withId(23))).toHaveLength(1);
  });
});

describe('a listener that fails', () => {
  it('delays neither another, nor what else it is told', async () => {
    await one.events.publish(DELETED, { id: 30 }, { id: POISON }, { id: 31 });
    await eventually(() => idsOf(CALM).length === 3 && idsOf(STUBBORN).length === 2);
    expect(idsOf(CALM)).toEqual([30, POISON, 31]);
    expect(new Set(idsOf(STUBBORN))).toEqual(new Set([30, 31]));
    const [left] = await eventually(async () => {
      const rows = await one.db.rows<{ payload: string; error: string }>(
        sql`select payload, error from outbox where job = ${STUBBORN.name} and "doneAt" is null`,
      );
      return rows[0]?.error ? rows : null;
    });
    expect(JSON.parse(left?.payload ?? '')).toEqual([
      { number: expect.any(Number), payload: { id: POISON } },
    ]);
    expect(left?.error).toBe('poison');
  });

  it('by taking its worker down is told of each event alone', async () => {
    const list = [40, 41].map((id) => ({ number: id, payload: { id } }));
    // What a worker leaves behind that died over a list.
    await one.db.execute(sql`
      insert into outbox (job, payload, attempts, "leaseUntil")
      values (${CALM.name}, ${JSON.stringify(list)}, 1, now() - interval '1 second')`);
    await one.module.get(Sweeper, { strict: false }).sweep();
    await eventually(() => idsOf(CALM).length === 2);
    expect(heard.get(CALM.name)?.map((calls) => calls.length)).toEqual([1, 1]);
  });
});

describe('many at once', () => {
  const WRITERS = 8;
  const EACH = 1250;
  const AT_ONCE = 25;

  it('10,000 of 8 writers in two processes reach two listeners, and two subscribers in one order', async () => {
    const before = await one.feed.last();
    let left = WRITERS * EACH;
    const following = [one, other].map((process) => {
      let count = 0;
      return upTo(process, before, () => ++count === WRITERS * EACH);
    });
    const write = async (writer: number): Promise<void> => {
      const { db, events } = writer % 2 ? one : other;
      for (let n = 0; n < EACH; n += AT_ONCE) {
        const ids = Array.from({ length: AT_ONCE }, (_, index) => 100_000 * writer + n + index);
        await db.transaction(() => events.publish(HAPPENED, ...ids.map((id) => ({ id }))));
        left -= AT_ONCE;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    expect(left).toBe(0);
    const [seen = [], seenByOther] = await Promise.all(following);
    expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => before + 1 + index));
    expect(seenByOther).toEqual(seen);
    // What one writer tells stays in the order in which it was told.
    const byWriter = Map.groupBy(
      seen.map(({ payload }) => (payload as Thing).id),
      (id) => Math.floor(id / 100_000),
    );
    expect([...byWriter.values()].map(({ length }) => length)).toEqual(Array(WRITERS).fill(EACH));
    for (const ids of byWriter.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const all = new Set(seen.map(({ payload }) => (payload as Thing).id));
    expect(all.size).toBe(WRITERS * EACH);
    for (const listener of [LEFT, RIGHT]) {
      await eventually(() => {
        const told = new Set(idsOf(listener));
        return [...all].every((id) => told.has(id));
      });
    }
  });
});

describe('a relay', () => {
  it('whose process is killed while it numbers is followed by another within five seconds', async () => {
    const before = await one.feed.last();
    const child = spawn(
      process.execPath,
      [
        '-e',
        `const client = new (require('pg').Client)({ connectionString: process.env.URL });
         client.connect()
           .then(() => client.query('begin'))
           .then(() => client.query('select 1 from event_counter for update'))
           .then(() => process.stdout.write('numbering'));`,
      ],
      { env: { PATH: process.env.PATH, URL: testDatabase.url }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    const published = one.events.publish(HAPPENED, { id: 50 });
    const seen = upTo(other, before, withId(50));
    const killedAt = Date.now();
    child.kill('SIGKILL');
    await published;
    expect(await seen).toHaveLength(1);
    expect(Date.now() - killedAt).toBeLessThan(5000);
  });

  it('finds what a process left that ended after its commit', async () => {
    const before = await one.feed.last();
    await one.db.execute(sql`
      insert into events (name, payload, jobs) values ('test.happened', '{"id":51}', array[${LEFT.name}])`);
    expect(await upTo(one, before, withId(51))).toHaveLength(1);
    await eventually(() => idsOf(LEFT).includes(51));
  });

  it('numbers what is committed later, later, whatever was begun first', async () => {
    const before = await one.feed.last();
    if (testDatabase.embedded) return; // Its transactions take turns.
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const slow = one.db.transaction(async () => {
      await one.events.publish(HAPPENED, { id: 60 });
      wrote();
      await committed;
    });
    await written;
    await other.events.publish(HAPPENED, { id: 61 });
    expect((await upTo(other, before, withId(61))).map(({ number }) => number)).toEqual([before + 1]);
    commit();
    await slow;
    const seen = await upTo(other, before, withId(60));
    expect(seen.map(({ number, payload }) => [number, payload])).toEqual([
      [before + 1, { id: 61 }],
      [before + 2, { id: 60 }],
    ]);
  });
});

describe('events of days that are over', () => {
  const partitions = async (): Promise<string[]> =>
    (
      await one.db.rows<{ name: string }>(
        sql`select inhrelid::regclass::text as name from pg_inherits
             where inhparent = 'numbered_events'::regclass order by 1`,
      )
    ).map(({ name }) => name);

  it('are dropped as a whole, and who comes back for them is told so', async () => {
    const before = await one.feed.last();
    await one.events.publish(HAPPENED, { id: 70 });
    await upTo(one, before, withId(70));
    const today = await partitions();
    expect(today).toHaveLength(3);
    await one.db.execute(sql`
      select numbered_events_partition((now() at time zone 'UTC')::date - ago) from generate_series(1, 3) ago`);
    const last = await one.feed.last();
    // All so far happened three days ago.
    await one.db.execute(sql`update numbered_events set at = at - interval '3 days'`);
    const [yesterday] = (await partitions()).toReversed().slice(3);
    const forget = one.module.get(ForgetEvents, { strict: false }) as unknown as { work(): Promise<void> };
    await forget.work();
    expect(await partitions()).toEqual([yesterday, ...today]);
    const late = upTo(one, last - 1, () => true);
    await expect(late).rejects.toThrow(ForgottenEventsError);
    const next = upTo(one, last, withId(71));
    await one.events.publish(HAPPENED, { id: 71 });
    expect(await next).toHaveLength(1);
    await expect(upTo(one, last - 1, () => true)).rejects.toThrow(ForgottenEventsError);
  });
});

// Last: what it declares is declared from then on.
describe('a listener that nobody provides', () => {
  it('stops the start, and who would publish to it', async () => {
    class Lost {
      @During(HAPPENED)
      hear(): Promise<string> {
        return Promise.resolve('');
      }
    }
    expect(() => one.module.get(EventRelay, { strict: false }).onModuleInit()).toThrow(
      `"${Lost.name}.hear" of "test.happened" is provided 0 times`,
    );
  });
});
