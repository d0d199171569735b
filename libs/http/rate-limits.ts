import { Injectable, SetMetadata } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '#libs/config';
import { RateLimitedError } from '#libs/errors';

interface Rate {
  points: number;
  /** Seconds. */
  duration: number;
}

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
} satisfies Record<string, Rate>;
export type RateName = keyof typeof RATES;

export const RATE = 'rate';
/** Counts a route against a rate of its own, on top of the general ones. */
export const RateLimit = (rate: 'search' | 'comment'): MethodDecorator => SetMetadata(RATE, rate);

/** The request rates, counted in this process. */
@Injectable()
export class RateLimits {
  private readonly limiters: Map<RateName, RateLimiterMemory>;
  private readonly exempt: [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(private readonly settings: Settings) {
    this.limiters = new Map(
      Object.entries(RATES).map(([name, rate]) => [
        name as RateName,
        new RateLimiterMemory({ keyPrefix: name, ...rate }),
      ]),
    );
    this.exempt = settings.RATE_LIMIT_EXEMPT.map((range) =>
      ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : hostRange(range),
    );
  }

  /**
   * Counts one request and shows the state of the rate in the `RateLimit-*` headers.
   * @throws RateLimitedError when the rate is used up
   */
  async consume(rate: RateName, key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limiter = this.limiters.get(rate);
    if (!limiter || !this.settings.RATE_LIMITS || this.isExempt(request.ip)) return;
    try {
      show(reply, limiter.points, await limiter.consume(key));
    } catch (state) {
      if (state instanceof Error) throw state;
      const used = state as RateLimiterRes;
      show(reply, limiter.points, used);
      throw new RateLimitedError(used.msBeforeNext / 1000);
    }
  }

  private isExempt(ip: string): boolean {
    if (this.exempt.length === 0) return false;
    const address = ipaddr.process(ip);
    return this.exempt.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  }
}

/** The client's address as rates count it: an IPv6 customer holds a whole /64. */
export function addressKey(ip: string): string {
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6'
    ? (address as ipaddr.IPv6).parts.slice(0, 4).join(':')
    : address.toString();
}

const hostRange = (address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const host = ipaddr.parse(address);
  return [host, host.kind() === 'ipv4' ? 32 : 128];
};

function show(reply: FastifyReply, limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  // The headers tell of the rate that is nearest to its end.
  const shown = reply.getHeader('ratelimit-remaining');
  if (shown !== undefined && Number(shown) <= remainingPoints) return;
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remainingPoints);
  reply.header('ratelimit-reset', Math.ceil(msBeforeNext / 1000));
}
