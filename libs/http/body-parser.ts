import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as secureJson from 'secure-json-parse';
import {
  type DomainError,
  PayloadTooLargeError,
  UnavailableError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '#libs/errors';
import type { InHand } from './in-hand';
import { boundsFault } from './json-bounds';

export const BODY_LIMIT = 1024 * 1024;

type Payload = FastifyRequest['raw'];

/**
 * A body that cannot be used. It is not refused while it is read, but once the guards have spoken: a caller
 * who may not call the route learns that first.
 */
export class RefusedBody {
  constructor(readonly error: DomainError) {}
}

/** @throws the refusal of a body whose size or type rules it out, whatever the route would do with it */
export function refuseUnreadableBody(body: unknown): void {
  if (body instanceof RefusedBody && body.error.status !== 400) throw body.error;
}

/** JSON only: a form could be posted by a foreign page together with the viewer's cookies. */
export function useJsonBodies(fastify: FastifyInstance, inHand: InHand): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/json(;|$)/i,
    async (request: FastifyRequest, payload: Payload) =>
      isPlain(request.headers['content-encoding'])
        ? parse(await read(request, payload, inHand))
        : drop(payload, new UnsupportedMediaTypeError()),
  );
  fastify.addContentTypeParser('*', async (_request: FastifyRequest, payload: Payload) =>
    drop(payload, new UnsupportedMediaTypeError()),
  );
}

/** Compressed bodies are not taken: a small one can unpack to anything. */
const isPlain = (encoding: string | undefined): boolean =>
  encoding === undefined || encoding.toLowerCase() === 'identity';

function drop(payload: Payload, error: DomainError): RefusedBody {
  // Once nobody iterates over it any more.
  setImmediate(() => payload.resume());
  return new RefusedBody(error);
}

/** The bytes of the body, or why they are not taken; the rest is dropped, so that the client gets to see the answer. */
async function read(
  request: FastifyRequest,
  payload: Payload,
  inHand: InHand,
): Promise<Buffer | RefusedBody> {
  const body = inHand.holdBody(request);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 16 * BODY_LIMIT) payload.destroy();
    if (size > BODY_LIMIT) continue;
    if (!inHand.takesMore(body, chunk.length)) return drop(payload, new UnavailableError({ retryAfter: 1 }));
    chunks.push(chunk);
  }
  body.keep();
  return size > BODY_LIMIT ? new RefusedBody(new PayloadTooLargeError()) : Buffer.concat(chunks, size);
}

function parse(bytes: Buffer | RefusedBody): unknown {
  if (bytes instanceof RefusedBody) return bytes;
  if (bytes.length === 0) return undefined;
  const fault = boundsFault(bytes);
  if (fault) return new RefusedBody(ValidationError.of('body', fault));
  try {
    return secureJson.parse(utf8.decode(bytes), { protoAction: 'error', constructorAction: 'error' });
  } catch {
    return new RefusedBody(ValidationError.of('body', 'not valid JSON'));
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
