import { once } from 'node:events';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';

export interface Rate {
  points: number;
  /** Seconds. */
  duration: number;
  /** Counted for all processes together and across restarts, because it guards against guessing. */
  shared?: true;
}

interface RateStoresOptions {
  /** Without it shared rates are counted in the database. */
  redisUrl?: string;
  /** What their keys in Redis begin with: services on other databases may share it. */
  prefix?: string;
  /** A pg pool. */
  pool: unknown;
}

/** A request waits no longer than this for a count. */
const ANSWERS_WITHIN_MS = 250;
const CONNECTS_WITHIN_MS = 1000;
const TRIES_AGAIN_AFTER_MS = 1000;

/** Makes the counters of rates. */
export class RateStores implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(RateStores.name);
  private readonly redis?: Redis;
  private away = false;

  constructor(private readonly options: RateStoresOptions) {
    if (options.redisUrl) this.redis = this.connect(options.redisUrl);
  }

  /** So that the first requests already find what was counted before. */
  async onModuleInit(): Promise<void> {
    if (!this.redis || this.redis.status === 'ready') return;
    const patience = AbortSignal.timeout(CONNECTS_WITHIN_MS);
    await once(this.redis, 'ready', { signal: patience }).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** @param name unique */
  limiter(name: string, { shared, ...rate }: Rate): RateLimiterAbstract {
    const options = { keyPrefix: name, ...rate };
    const inProcess = new RateLimiterMemory(options);
    if (!shared) return inProcess;
    const insured = { ...options, insuranceLimiter: inProcess };
    if (this.redis) {
      return new RateLimiterRedis({
        ...insured,
        keyPrefix: `${this.options.prefix}-${name}`,
        storeClient: this.redis,
        rejectIfRedisNotReady: true,
      });
    }
    return new RateLimiterPostgres({
      ...insured,
      storeClient: this.options.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
  }

  /**
   * A connection of the rates' own, which fails at once where that of the queue waits. One that is silent is given up
   * after the first command that it does not answer; until a new one has answered, nobody waits for it.
   */
  private connect(url: string): Redis {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: ANSWERS_WITHIN_MS,
      socketTimeout: ANSWERS_WITHIN_MS,
      connectTimeout: CONNECTS_WITHIN_MS,
      retryStrategy: () => TRIES_AGAIN_AFTER_MS,
    });
    redis.on('error', (error) => this.note(error));
    redis.on('ready', () => this.note());
    return redis;
  }

  /** Says once that Redis went away, and once that it is back. */
  private note(error?: Error): void {
    const away = error !== undefined;
    if (away === this.away) return;
    this.away = away;
    if (away) this.logger.warn({ msg: 'Redis is away: this process counts tries by itself', err: error });
    else this.logger.log('Redis is back: tries are counted together again');
  }
}
