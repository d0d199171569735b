import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '#libs/config';
import { mac } from '#libs/crypto';
import { RateLimitedError } from '#libs/errors';
import { type Rate, RateStores } from '#libs/rates';
import { amongAddresses } from './address-ranges';
import { currentIp } from './request-context';
import { addRouteConfig } from './route-config';

const MINUTE = 60;
/** Requests per client. A rule with two rates has one for anonymous addresses and one for users. */
const RATES = {
  anonymous: { points: 300, duration: 5 * MINUTE },
  user: { points: 1500, duration: 5 * MINUTE },
  write: { points: 60, duration: MINUTE },
  comment: { points: 10, duration: MINUTE },
  anonymousSearch: { points: 30, duration: MINUTE },
  userSearch: { points: 120, duration: MINUTE },
  minting: { points: 600, duration: MINUTE },
  mintingFailure: { points: 60, duration: MINUTE },
  signInByAccount: { points: 5, duration: 15 * MINUTE, shared: true },
  signInByAddress: { points: 30, duration: 60 * MINUTE, shared: true },
  codeByAccount: { points: 5, duration: 60 * MINUTE, shared: true },
  codeByAddress: { points: 20, duration: 60 * MINUTE, shared: true },
  redeem: { points: 5, duration: 60 * MINUTE, shared: true },
} satisfies Record<string, Rate>;
export type RateName = keyof typeof RATES;

/** Counts a route against a rate of its own, on top of the general ones. */
export const RateLimit = (rate: 'search' | 'comment'): MethodDecorator => addRouteConfig({ rate });

/** The request rates: those that guard against guessing in a shared store, the others in this process. */
@Injectable()
export class RateLimits {
  private readonly logger = new Logger(RateLimits.name);
  private readonly limiters: Map<RateName, RateLimiterAbstract>;
  private readonly isExempt: (ip: string) => boolean;

  constructor(
    private readonly settings: Settings,
    stores: RateStores,
  ) {
    this.limiters = new Map(
      Object.entries(RATES).map(([name, rate]) => [name as RateName, stores.limiter(name, rate)]),
    );
    this.isExempt = amongAddresses(settings.RATE_LIMIT_EXEMPT);
  }

  /**
   * Counts one request and shows the state of the rate in the `RateLimit-*` headers.
   * @throws RateLimitedError when the rate is used up
   */
  async consume(rate: RateName, key: string, reply: FastifyReply): Promise<void> {
    const limiter = this.limiters.get(rate);
    if (!limiter || !this.apply()) return;
    try {
      show(reply, limiter.points, await limiter.consume(key));
    } catch (state) {
      if (state instanceof Error) throw state;
      const used = state as RateLimiterRes;
      show(reply, limiter.points, used);
      throw new RateLimitedError(used.msBeforeNext / 1000);
    }
  }

  /**
   * Counts one try of something that may be guessed. `forgive` takes a right one back.
   * @throws RateLimitedError when the rate is used up
   */
  async attempt(rate: RateName, key: string): Promise<void> {
    if (!this.apply()) return;
    try {
      await this.limiters.get(rate)?.consume(this.hidden(rate, key));
    } catch (state) {
      if (state instanceof Error) throw state;
      throw new RateLimitedError((state as RateLimiterRes).msBeforeNext / 1000);
    }
  }

  /** Takes one try back, or with `all` every one. Nobody waits for it: at worst a right try stays counted. */
  forgive(rate: RateName, key: string, all = false): void {
    const counted = this.limiters.get(rate);
    if (!counted || !this.apply()) return;
    const hidden = this.hidden(rate, key);
    const forgiven: Promise<unknown> = all ? counted.delete(hidden) : counted.reward(hidden);
    forgiven.catch((error: unknown) => this.logger.debug({ msg: 'A try stays counted', rate, err: error }));
  }

  /** What is stored tells nobody whose tries are counted. */
  private hidden(rate: RateName, key: string): string {
    const [secret = ''] = this.settings.ENCRYPTION_KEY;
    return mac(secret, 'rate', rate, key).toString('base64url');
  }

  /** Whether the request at hand is counted at all. */
  apply(): boolean {
    return this.settings.RATE_LIMITS && !this.isExempt(currentIp());
  }
}

function show(reply: FastifyReply, limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  // The headers tell of the rate that is nearest to its end.
  const shown = reply.getHeader('ratelimit-remaining');
  if (shown !== undefined && Number(shown) <= remainingPoints) return;
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remainingPoints);
  reply.header('ratelimit-reset', Math.ceil(msBeforeNext / 1000));
}
