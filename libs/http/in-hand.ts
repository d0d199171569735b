import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import { UnavailableError } from '#libs/errors';
import { BytesInHand, type Holding } from '#libs/limits';
import { amongAddresses } from './address-ranges';
import type { ErrorFilter } from './error.filter';
import { addressKey } from './client-address';
import { currentRequest } from './request-context';

const MIB = 1024 * 1024;
/** What a chunk takes besides its bytes: a body can arrive byte by byte. */
const CHUNK_COST = 256;
/** Answers below this are given whatever else is held. */
const LARGE = 64 * 1024;
/** Answers go out in slices, so that it shows whether their readers take any. */
const SLICE = 64 * 1024;
const READS = new Set(['GET', 'HEAD']);

const surplus = new UnavailableError({ retryAfter: 1 });

/** The bytes of bodies that arrive and of answers that have not left: budgets of the process. */
@Injectable()
export class InHand {
  readonly bodies: BytesInHand;
  readonly answers: BytesInHand;
  private readonly mayHoldAll: (ip: string) => boolean;

  constructor({
    MAX_BODIES_MIB,
    MAX_ANSWERS_MIB,
    STALLED_AFTER_MS,
    RATE_LIMIT_EXEMPT,
    TRUST_PROXY,
  }: Settings) {
    this.bodies = new BytesInHand(MAX_BODIES_MIB * MIB, STALLED_AFTER_MS);
    this.answers = new BytesInHand(MAX_ANSWERS_MIB * MIB, STALLED_AFTER_MS);
    this.mayHoldAll = amongAddresses([...RATE_LIMIT_EXEMPT, ...TRUST_PROXY]);
  }

  /**
   * Counts an answer before it is made, until it has left.
   * @throws UnavailableError when there is no room for so many bytes
   */
  expectAnswer(bytes: number): void {
    const request = currentRequest()?.request;
    if (!request) return;
    const address = this.sharer(request);
    if (!this.answers.hasRoom(bytes, address)) throw new UnavailableError({ retryAfter: 1 });
    // Others may still wait for what it asked for.
    if (request.hasLeft) return;
    request.answerInHand?.release();
    request.answerInHand = this.answers.hold(bytes, { address });
  }

  /** What a request's body takes while it arrives and is worked on. */
  holdBody(request: FastifyRequest): Holding {
    const cut = (): void => void request.raw.destroy();
    const body = this.bodies.hold(0, { address: this.sharer(request), cut });
    if (request.hasLeft) body.release();
    return (request.bodyInHand = body);
  }

  /** Takes so much more of a body, or drops what it has when there is no room. */
  takesMore(body: Holding, bytes: number): boolean {
    const all = bytes + CHUNK_COST;
    const fits = this.bodies.hasRoom(all, body.holder.address);
    if (fits) body.grow(all);
    else body.release();
    return fits;
  }

  /** The address whose share counts, if one does. */
  sharer({ clientIp }: FastifyRequest): string | undefined {
    return this.mayHoldAll(clientIp) ? undefined : addressKey(clientIp);
  }
}

/** Counts each body and answer until the answer has left or the connection is gone. */
export function countInHand(fastify: FastifyInstance, inHand: InHand, filter: ErrorFilter): void {
  fastify
    .decorateRequest('bodyInHand', null)
    .decorateRequest('answerInHand', null)
    .decorateRequest('hasLeft', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      request.hasLeft = true;
      request.bodyInHand?.release();
      request.answerInHand?.release();
    });
    done();
  });
  // Before it is compressed: what is compressed is held as a whole until it has left.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    const address = bytes < LARGE ? undefined : inHand.sharer(request);
    request.answerInHand?.release();
    if (bytes >= LARGE && READS.has(request.method) && !inHand.answers.hasRoom(bytes, address)) {
      done(null, refuseInstead(filter, request, reply));
      return;
    }
    if (bytes > 0 && !request.hasLeft) holdAnswer(inHand, bytes, payload, request, reply, address);
    done(null, payload);
  });
}

function holdAnswer(
  { answers }: InHand,
  bytes: number,
  payload: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string | undefined,
): void {
  const cut = (): void => void reply.raw.destroy();
  // Kept answers go to many readers.
  const same = Buffer.isBuffer(payload) ? payload : undefined;
  const holding = (request.answerInHand = answers.hold(bytes, { address, cut, same }));
  if (bytes >= LARGE) reply.raw.on('drain', () => holding.moves());
}

/** After compressing. Of a large answer that is written as a whole nobody sees whether its reader takes any. */
export function sendInSlices(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ method }, reply, payload, done) => {
    if (sizeOf(payload) <= 2 * SLICE || method === 'HEAD') {
      done(null, payload);
      return;
    }
    // A kept answer is the same for all its readers, and counted once: none has a copy.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string);
    reply.header('content-length', bytes.length);
    done(null, inSlices(bytes));
  });
}

function inSlices(bytes: Buffer): Readable {
  let rest = bytes;
  return new Readable({
    highWaterMark: SLICE,
    read() {
      this.push(rest.length > 0 ? rest.subarray(0, SLICE) : null);
      rest = rest.subarray(SLICE);
    },
    // A connection that stays open remembers its last answer for a while: not the bytes.
    destroy(error, done) {
      rest = Buffer.alloc(0);
      done(error);
    },
  });
}

const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;

function refuseInstead(filter: ErrorFilter, request: FastifyRequest, reply: FastifyReply): string {
  for (const header of ['etag', 'content-encoding', 'content-length']) reply.removeHeader(header);
  return JSON.stringify(filter.refuse(surplus, request, reply));
}
