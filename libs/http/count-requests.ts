import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from './client-address';
import type { RateLimits } from './rate-limits';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whom a request is counted for, as far as the request itself shows it: a user by a token whose signature is right, a
 * server by the service secret, and an address when it is null. Nothing is looked up for it.
 */
export type Sender = `user:${number}` | 'server' | null;
export type SenderOf = (request: FastifyRequest) => Sender;

/** Counts a request before its body is read, whatever becomes of it. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** @throws RateLimitedError when a rate that the request counts against is used up */
export const countRequests =
  (rates: RateLimits, senderOf: SenderOf): CountRequest =>
  async (request, reply) => {
    const { access, rate } = request.routeOptions.config;
    if (access?.unmetered || !rates.apply()) return;
    const sender = senderOf(request);
    const key = sender ?? addressKey(request.clientIp);
    if (access?.who === 'secret') {
      // It has rates of its own: one server asks for all of its users.
      await rates.consume(sender === null ? 'mintingFailure' : 'minting', key, reply);
      return;
    }
    await rates.consume(sender === null ? 'anonymous' : 'user', key, reply);
    if (!READS.has(request.method)) await rates.consume('write', key, reply);
    if (rate === 'comment') await rates.consume('comment', key, reply);
    if (rate === 'search')
      await rates.consume(sender === null ? 'anonymousSearch' : 'userSearch', key, reply);
  };
