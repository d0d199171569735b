import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Type } from '@nestjs/common';
import { loadSettings, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { createLogger } from '#libs/logging';
import { openQueueBackend } from '#libs/queue';
import {
  createTestDatabase,
  type Document,
  FakeClock,
  queriesOf,
  recordSecret,
  ResponseCheck,
  type TestDatabase,
  testLogFile,
} from '#libs/testing';
import { createApp } from '../../src/http-app';
import { SpamLimits } from '../../src/moderation/spam';
import { Callers } from '../../src/kernel/callers/callers';
import { openDatabaseOf } from '../../src/operations/process/resources';
import { Client } from './client';

/** The whole application on a database of its own, called without a network in between. */
export class TestApp {
  readonly clock: FakeClock;

  private constructor(
    readonly app: NestFastifyApplication,
    readonly settings: Settings,
    readonly database: TestDatabase,
    clock: FakeClock,
    private readonly release: () => Promise<void>,
  ) {
    this.clock = clock;
  }

  /**
   * @param env settings that differ from the usual ones of tests
   * @param beforeInit what a test does with the application before it has routes
   */
  static async start(
    env: Record<string, string> = {},
    beforeInit: (app: NestFastifyApplication) => void = () => undefined,
  ): Promise<TestApp> {
    const testDatabase = await createTestDatabase();
    const settings = loadSettings({
      NODE_ENV: 'test',
      DATABASE_URL: testDatabase.url,
      REDIS_URL: process.env.REDIS_URL,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'community-test-')),
      PUBLIC_URL: 'https://api.test',
      RATE_LIMITS: 'off',
      // All who call are on this machine.
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      // The tests' own work shares the event loop and the memory.
      MAX_EVENT_LOOP_DELAY_MS: '0',
      MAX_TIME_AT_WORK_MS: '0',
      MAX_RSS_MIB: '8192',
      REQUEST_DEADLINE_MS: '60000',
      LOG_LEVEL: 'info',
      ...env,
    });
    for (const secret of [...settings.JWT_SECRET, ...settings.SERVICE_SECRET, ...settings.COOKIE_SECRET]) {
      recordSecret(secret);
    }
    return TestApp.open(testDatabase, settings, () => testDatabase.drop(), beforeInit);
  }

  /** A second API on the same database, with a memory of its own, as another process has. */
  another(): Promise<TestApp> {
    return TestApp.open(this.database, this.settings);
  }

  private static async open(
    testDatabase: TestDatabase,
    settings: Settings,
    after: () => Promise<void> = async () => undefined,
    beforeInit: (app: NestFastifyApplication) => void = () => undefined,
  ): Promise<TestApp> {
    const clock = new FakeClock();
    const logger = createLogger(settings.LOG_LEVEL, testLogFile());
    const database = await openDatabaseOf(settings, () => undefined, { migrate: false });
    const queue = openQueueBackend({
      redisUrl: settings.REDIS_URL,
      databaseUrl: testDatabase.url,
      embedded: testDatabase.embedded,
      pooled: database.pooled,
    });
    const app = await createApp({ settings, database, queue, clock }, logger);
    beforeInit(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const test = new TestApp(app, settings, testDatabase, clock, async () => {
      await queue.close();
      await database.close();
      await after();
    });
    test.forgetAfterDirectQueries();
    // Tests write faster than people; those about it set their own pace.
    test.get(SpamLimits).commentsAMinute = Infinity;
    return test;
  }

  /** A caller with these headers on every request; answers are held against openapi.json. */
  client(headers: Record<string, string> = {}): Client {
    return new Client(this.app, responseCheck(), headers);
  }

  get<Service>(type: Type<Service>): Service {
    return this.app.get(type, { strict: false });
  }

  get db(): Database {
    return this.get(Database);
  }

  /** As after a second in which nobody called. */
  forgetCallers(): void {
    (this.get(Callers) as unknown as { known: Map<string, unknown> }).known.clear();
  }

  /** What a test changes behind the application's back, it wants to be felt at once. */
  private forgetAfterDirectQueries(): void {
    const { dataSource } = this.db;
    const query = dataSource.query.bind(dataSource);
    dataSource.query = async (...parameters: Parameters<typeof query>) => {
      const result: unknown = await query(...parameters);
      this.forgetCallers();
      return result as never;
    };
  }

  /** What the work costs, the look-up of who calls included. */
  queriesOf(work: () => Promise<unknown>): Promise<string[]> {
    this.forgetCallers();
    return queriesOf(this.db.dataSource, work);
  }

  async stop(): Promise<void> {
    await this.db.settled();
    await this.app.close();
    await this.release();
  }
}

let check: ResponseCheck | undefined;
const responseCheck = (): ResponseCheck =>
  (check ??= new ResponseCheck(JSON.parse(readFileSync('openapi.json', 'utf8')) as Document));
