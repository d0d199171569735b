import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as ipaddr from 'ipaddr.js';
import { inLanguage } from '#libs/language';

/** What is known of a request wherever its work is done; background work has none. */
export interface RequestContext {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly request: FastifyRequest;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request that is being answered, or null outside of one. */
export const currentRequest = (): RequestContext | null => storage.getStore() ?? null;

/** The address that the request comes from; work outside of one is this machine's own. */
export const currentIp = (): string => currentRequest()?.ip ?? '127.0.0.1';

export function keepRequestContext(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
    const language = request.headers['accept-language']?.slice(0, 100) ?? null;
    storage.run({ requestId: request.id, ip: request.ip, userAgent, request }, () =>
      inLanguage(language, done),
    );
  });
}

/** An address without what tells one household from the next: /24 of IPv4, /48 of IPv6. */
export function shortenedIp(ip: string): string {
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return `${address.toString().split('.').slice(0, 3).join('.')}.0/24`;
  const [one = 0, two = 0, three = 0] = (address as ipaddr.IPv6).parts;
  return `${[one, two, three].map((part) => part.toString(16)).join(':')}::/48`;
}
