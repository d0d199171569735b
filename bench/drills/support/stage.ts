import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { FaultProxy } from '#libs/testing';
import { filledDatabase } from '../../support/database';
import { SERVICE_SECRET } from '../../support/session';
import { ServiceProcess } from '../../../test/support/service-process';
import { Report } from './report';
import { Servers } from './servers';

/** A drill: one file of this directory, run by `npm run drill -- <name of the file>`. */
export interface Drill {
  title: string;
  run(stage: Stage): Promise<void>;
}

const DATABASE = 'drill';
/** So long a process may take to end in order before it is killed. */
const ENDS_WITHIN_MS = 15_000;

/** What a drill plays on: servers, processes of the service, and proxies between them. All goes when it ends. */
export class Stage {
  readonly report: Report;
  private readonly leftovers: (() => unknown)[] = [];
  private readonly dataDir: string;
  private struck = false;

  private constructor(
    title: string,
    readonly servers: Servers,
    directory: string,
  ) {
    this.report = new Report(title);
    this.dataDir = mkdtempSync(join(directory, 'data-'));
  }

  /** Runs one drill and leaves nothing behind, also when it fails or is interrupted. @returns the exit code */
  static async run(drill: Drill): Promise<number> {
    const directory = mkdtempSync(join(tmpdir(), 'drill-'));
    // PostgreSQL may run as another user, who has to get through.
    chmodSync(directory, 0o711);
    process.env.TMPDIR = directory;
    let stage: Stage | undefined;
    const strike = async (): Promise<void> => {
      await stage?.strike();
      await Servers.stop(directory);
      rmSync(directory, { recursive: true, force: true });
    };
    const interrupted = new Promise<never>((_, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => reject(new Error(`${signal}: the drill ends early`)));
      }
    });
    try {
      const playing = Servers.start(directory).then(async (servers) => {
        stage = new Stage(drill.title, servers, directory);
        await drill.run(stage);
        return stage.report;
      });
      const report = await Promise.race([playing, interrupted]);
      report.print();
      return report.broken > 0 ? 1 : 0;
    } finally {
      await strike();
    }
  }

  /** A migrated database on the drill's server with these rows, whose URL is of the server itself. */
  async database(statements: string[]): Promise<string> {
    process.env.DATABASE_URL = this.servers.databaseUrl;
    return filledDatabase(DATABASE, statements);
  }

  /** A process as an operator would start it, on the drill's Redis unless told otherwise; all share their secrets. */
  start(entry: 'main' | 'worker', env: Record<string, string>): ServiceProcess {
    if (this.struck) throw new Error('The drill has ended.');
    const service = new ServiceProcess(
      entry,
      { REDIS_URL: this.servers.redisUrl, SERVICE_SECRET, ...env },
      this.dataDir,
    );
    this.onEnd(async () => {
      service.signal('SIGCONT');
      service.signal('SIGTERM');
      const killing = setTimeout(() => service.signal('SIGKILL'), ENDS_WITHIN_MS);
      await service.exited;
      clearTimeout(killing);
    });
    return service;
  }

  /** A proxy before one of the servers, to be silenced. */
  async proxy(url: string): Promise<FaultProxy> {
    const proxy = await FaultProxy.before(url);
    this.onEnd(() => proxy.close());
    return proxy;
  }

  /** The rows of one statement, asked on a connection of its own. */
  async rows<Row extends object>(url: string, statement: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** What else has to be stopped; the last first. */
  onEnd(stop: () => unknown): void {
    this.leftovers.push(stop);
  }

  private async strike(): Promise<void> {
    this.struck = true;
    this.servers.postgres.resume();
    this.servers.redis.resume();
    for (const stop of this.leftovers.splice(0).toReversed()) await stop();
  }
}
