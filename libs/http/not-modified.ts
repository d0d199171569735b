import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Leaves the body out of an answer that the client says it has: its `ETag` is among `If-None-Match`. */
export function answerNotModified(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const etag = reply.getHeader('etag');
    if (typeof etag !== 'string' || reply.statusCode !== 200 || !names(request, etag)) {
      done(null, payload);
      return;
    }
    reply.status(304).removeHeader('content-encoding').removeHeader('content-length');
    // Fastify itself takes the body off an answer to HEAD, and fails where there is none.
    done(null, request.method === 'HEAD' ? payload : null);
  });
}

function names({ method, headers }: FastifyRequest, etag: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const tags = headers['if-none-match']?.split(',').map((tag) => opaque(tag.trim())) ?? [];
  return tags.includes('*') || tags.includes(opaque(etag));
}

/** Tags are compared weakly: it does not matter here whether the bytes are the same. */
const opaque = (tag: string): string => tag.replace(/^W\//, '');
