import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { eventually } from '#libs/testing';
import { childrenOf } from '../../support/process';

const SCRIPT = join(__dirname, '../../../../.ci/services');
const run = promisify(execFile);

/** PostgreSQL and Redis of a drill's own, on loopback. */
export class Servers {
  private constructor(
    readonly databaseUrl: string,
    readonly redisUrl: string,
    /** Empty where there is no PgBouncer. */
    readonly poolerUrl: string,
    readonly postgres: Server,
    readonly redis: Server,
  ) {}

  /** @param directory where their data is, and nobody else's */
  static async start(directory: string): Promise<Servers> {
    const services = (...args: string[]) =>
      run(SCRIPT, args, { env: { ...process.env, TMPDIR: directory } }).then(({ stdout }) => stdout);
    const exports = await services('start');
    const url = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(exports)?.[1] ?? '';
    const redisUrl = url('REDIS_URL');
    const files = join(directory, `community-platform-services.${userInfo().uid}`);
    const postmaster = (): number =>
      Number(readFileSync(join(files, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    const postgres = new Server(
      () => Promise.resolve(postmaster()),
      () => services('again', 'postgres'),
    );
    const redis = new Server(
      () => pidOfRedis(redisUrl),
      () => services('again', 'redis'),
    );
    await Promise.all([postgres.found(), redis.found()]);
    return new Servers(url('DATABASE_URL'), redisUrl, url('POOLER_URL'), postgres, redis);
  }

  static stop(directory: string): Promise<unknown> {
    return run(SCRIPT, ['stop'], { env: { ...process.env, TMPDIR: directory } });
  }

  /** Redis forgets everything. */
  async flush(): Promise<void> {
    await withRedis(this.redisUrl, (redis) => redis.flushall());
  }

  /** Whether Redis has a key of this pattern. */
  has(pattern: string): Promise<boolean> {
    return withRedis(this.redisUrl, async (redis) => (await redis.keys(pattern)).length > 0);
  }
}

/** A server process with its children, to be done violence to. */
class Server {
  private pid = 0;

  constructor(
    private readonly findPid: () => Promise<number>,
    private readonly startAgain: () => Promise<unknown>,
  ) {}

  async found(): Promise<void> {
    this.pid = await this.findPid();
  }

  /** As a crash: no goodbye to anyone, and nothing is written. */
  async kill(): Promise<void> {
    const pids = this.signal('SIGKILL');
    // Until they are reaped, since PostgreSQL does not start beside a process that it takes for another of its kind.
    await eventually(() => !pids.some(lives));
  }

  /** Silent, its port still open and its connections too. */
  stop(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  /** After `kill`; resolves when it takes connections. */
  async start(): Promise<void> {
    await this.startAgain();
    await this.found();
  }

  private signal(signal: NodeJS.Signals): number[] {
    if (!lives(this.pid)) return [];
    const pids = [this.pid, ...childrenOf(this.pid)];
    for (const pid of pids) if (lives(pid)) process.kill(pid, signal);
    return pids;
  }
}

const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);

const pidOfRedis = (url: string): Promise<number> =>
  withRedis(url, async (redis) => Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]));

async function withRedis<Result>(url: string, work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
