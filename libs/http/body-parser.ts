import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as secureJson from 'secure-json-parse';
import {
  type DomainError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '#libs/errors';
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
export function useJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/json(;|$)/i,
    async ({ headers }: FastifyRequest, payload: Payload) =>
      isPlain(headers['content-encoding']) ? parse(await read(payload)) : refuseType(payload),
  );
  fastify.addContentTypeParser('*', async (_request: FastifyRequest, payload: Payload) =>
    refuseType(payload),
  );
}

/** Compressed bodies are not taken: a small one can unpack to anything. */
const isPlain = (encoding: string | undefined): boolean =>
  encoding === undefined || encoding.toLowerCase() === 'identity';

function refuseType(payload: Payload): RefusedBody {
  payload.resume();
  return new RefusedBody(new UnsupportedMediaTypeError());
}

async function read(payload: Payload): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is over the limit is read and dropped, so that the client gets to see the answer.
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else if (size > 16 * BODY_LIMIT) payload.destroy();
  }
  return size > BODY_LIMIT ? null : Buffer.concat(chunks, size);
}

function parse(bytes: Buffer | null): unknown {
  if (bytes === null) return new RefusedBody(new PayloadTooLargeError());
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
