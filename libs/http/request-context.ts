import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inLanguage } from '#libs/language';
import type { AmongAddresses } from './address-ranges';
import { clientAddress } from './client-address';

/** What is known of a request wherever its work is done; background work has none. */
export interface RequestContext {
  readonly requestId: string;
  /** Whether the client made it up. */
  readonly isClientsId: boolean;
  /** Where the request comes from, past the proxies that are believed. */
  readonly ip: string;
  readonly userAgent: string | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request that is being answered, or null outside of one. */
export const currentRequest = (): RequestContext | null => storage.getStore() ?? null;

/** The address that the request comes from; work outside of one is this machine's own. */
export const currentIp = (): string => currentRequest()?.ip ?? '127.0.0.1';

/** Does work with what is known of a request. */
export type InContext = (request: FastifyRequest, reply: FastifyReply, work: () => void) => void;

export const requestContexts =
  (isProxy: AmongAddresses): InContext =>
  (request, reply, work) => {
    const { id, raw, headers } = request;
    request.clientIp = clientAddress(raw, isProxy);
    const context = {
      requestId: id,
      isClientsId: headers['x-request-id'] === id,
      ip: request.clientIp,
      userAgent: headers['user-agent']?.slice(0, 300) ?? null,
      request,
      reply,
    };
    const language = headers['accept-language']?.slice(0, 100) ?? null;
    storage.run(context, () => inLanguage(language, work));
  };

export function keepRequestContext(fastify: FastifyInstance, inContext: InContext): void {
  fastify.decorateRequest('clientIp', '');
  fastify.addHook('onRequest', (request, reply, done) => inContext(request, reply, done));
}
