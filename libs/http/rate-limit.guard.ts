import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS, type AccessRule } from './access';
import { RATE, addressKey, RateLimits } from './rate-limits';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses with 429 before anything else is looked at. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rates: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const rule = this.reflector.get<AccessRule>(ACCESS, context.getHandler());
    // The service secret has a rate of its own: one server asks for all of its users.
    if (rule.unmetered || rule.who === 'secret') return true;
    const user = request.rateKey;
    const key = user ?? addressKey(request.ip);
    await this.rates.consume(user ? 'user' : 'anonymous', key, request, reply);
    if (!READS.has(request.method)) await this.rates.consume('write', key, request, reply);
    const own = this.reflector.get<'search' | 'comment' | undefined>(RATE, context.getHandler());
    if (own === 'comment') await this.rates.consume('comment', key, request, reply);
    if (own === 'search')
      await this.rates.consume(user ? 'userSearch' : 'anonymousSearch', key, request, reply);
    return true;
  }
}
