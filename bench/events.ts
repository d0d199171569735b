/** How many events a process can publish, what that adds to a transaction, and how soon those who listen know. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Processor } from '@nestjs/bullmq';
import { Sealer } from '#libs/crypto';
import { Database, DatabaseModule, openDatabase, sql } from '#libs/database';
import {
  defineEvent,
  defineListener,
  EventFeed,
  Events,
  EventsModule,
  EventsWorkerModule,
} from '#libs/events';
import {
  handle,
  type Handlers,
  JobProcessor,
  JobRunner,
  migrateQueue,
  openQueueBackend,
  QueueModule,
  QueueWorkerModule,
} from '#libs/queue';
import { MIGRATIONS } from '../src/operations/migrations';
import { dropDatabase, freshDatabase } from './support/server';
import { median } from './support/load';
import { percentile } from './support/percentile';

const DATABASE = 'bench_events';
const WRITERS = 8;
const SECONDS = Number(process.env.ROUND_SECONDS ?? 5);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const IN_BULK = 25;

interface Thing {
  id: number;
}
const HAPPENED = defineEvent<Thing>('bench.happened');
const FIRST = defineListener(HAPPENED, 'bench.first');
const SECOND = defineListener(HAPPENED, 'bench.second');
const told = new Map<string, number>();

@Processor(FIRST.queue, { concurrency: 4 })
class BenchProcessor extends JobProcessor {
  readonly handlers: Handlers = new Map(
    [FIRST, SECOND].map((listener) =>
      handle(listener, async (list) => {
        told.set(listener.name, (told.get(listener.name) ?? 0) + list.length);
      }),
    ),
  );

  constructor(runner: JobRunner) {
    super(runner);
  }
}

@Module({})
class BenchModule {}

interface SetUp {
  name: string;
  databaseUrl?: string;
  redisUrl?: string;
}

async function measure({ name, databaseUrl, redisUrl }: SetUp): Promise<void> {
  const database = await openDatabase({
    url: databaseUrl,
    dataDir: mkdtempSync(join(tmpdir(), 'bench-')),
    entities: [],
    migrations: MIGRATIONS,
    afterMigrating: redisUrl ? undefined : migrateQueue,
  });
  const backend = openQueueBackend({ redisUrl, databaseUrl: database.url, embedded: database.embedded });
  const root: DynamicModule = {
    module: BenchModule,
    imports: [
      DatabaseModule.forRoot(database.dataSource),
      QueueModule.forRoot({ backend, jobs: [FIRST, SECOND], sealer: new Sealer(['a key of this bench']) }),
      QueueWorkerModule,
      EventsModule.forRoot(database),
      EventsWorkerModule,
    ],
    providers: [BenchProcessor],
  };
  const app = await NestFactory.createApplicationContext(root, { logger: ['error', 'warn'] });
  const db = app.get(Database);
  const events = app.get(Events, { strict: false });
  const feed = app.get(EventFeed, { strict: false });
  await db.execute(
    sql`create table if not exists written (id bigint generated always as identity primary key, what text)`,
  );
  const write = (): Promise<unknown> => db.execute(sql`insert into written (what) values ('something')`);
  const publish = (count: number) => async (): Promise<void> => {
    await db.transaction(async () => {
      await write();
      await events.publish(HAPPENED, ...Array.from({ length: count }, (_, id) => ({ id })));
    });
  };
  const targets = {
    bare: () => db.transaction(write),
    one: publish(1),
    bulk: publish(IN_BULK),
  };
  const rates: Record<keyof typeof targets, number[]> = { bare: [], one: [], bulk: [] };
  let published = 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (const target of ['bare', 'one', 'bulk'] as const) {
      const done = await load(targets[target], round < 0 ? 1 : SECONDS);
      if (target !== 'bare') published += done.count * (target === 'bulk' ? IN_BULK : 1);
      if (round >= 0) rates[target].push(done.count / done.seconds);
      // What is left of it must not be measured with the next.
      const since = performance.now();
      while ((told.get(FIRST.name) ?? 0) < published || (told.get(SECOND.name) ?? 0) < published) {
        if (performance.now() - since > 60_000) throw new Error('The listeners were not told of all.');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }
  const known = await latencies(feed, publish(1));
  const [bare, one, bulk] = [rates.bare, rates.one, rates.bulk].map(median) as [number, number, number];
  console.log(
    `${name.padEnd(24)} ${one.toFixed(0).padStart(7)}/s ${((100 * one) / bare).toFixed(0).padStart(5)} % of bare` +
      ` ${(bulk * IN_BULK).toFixed(0).padStart(8)}/s in bulk   known after ${median(known).toFixed(1)} ms` +
      ` (p99 ${percentile(known, 0.99).toFixed(1)} ms)`,
  );
  await app.close();
  await backend.close();
  await database.close();
}

/** Transactions by several writers at once, for so long. */
async function load(
  work: () => Promise<unknown>,
  seconds: number,
): Promise<{ count: number; seconds: number }> {
  const begin = performance.now();
  let count = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() - begin < 1000 * seconds) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return { count, seconds: (performance.now() - begin) / 1000 };
}

/** From the commit until a subscriber of the same process has it, one at a time. */
async function latencies(feed: EventFeed, publish: () => Promise<void>): Promise<number[]> {
  const ended = new AbortController();
  const waits: number[] = [];
  let seen = Promise.withResolvers<void>();
  const following = (async () => {
    for await (const _ of feed.after(await feed.last(), ended.signal)) seen.resolve();
  })();
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let sample = 0; sample < 100; sample++) {
    seen = Promise.withResolvers<void>();
    await publish();
    const committed = performance.now();
    await seen.promise;
    waits.push(performance.now() - committed);
  }
  ended.abort();
  await following;
  return waits;
}

const SET_UPS = { embedded: 'embedded', server: 'PostgreSQL', redis: 'PostgreSQL and Redis' };

async function main(): Promise<void> {
  const { REDIS_URL: redisUrl } = process.env;
  const [, , setUp] = process.argv;
  if (setUp === 'embedded') return measure({ name: SET_UPS.embedded });
  if (setUp === 'server' || setUp === 'redis') {
    const databaseUrl = await freshDatabase(DATABASE);
    try {
      await measure({
        name: SET_UPS[setUp],
        databaseUrl,
        redisUrl: setUp === 'redis' ? redisUrl : undefined,
      });
    } finally {
      await dropDatabase(DATABASE);
    }
    return;
  }
  // A process each, as in production: what one has opened is not measured with the next.
  for (const one of ['embedded', 'server', ...(redisUrl ? ['redis'] : [])]) {
    const { status } = spawnSync(process.execPath, [__filename, one], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  // BullMQ leaves connections open.
  .finally(() => process.exit());
