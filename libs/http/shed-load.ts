import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError } from '#libs/errors';
import { RefusedBody } from './body-parser';
import type { ErrorFilter } from './error.filter';

/** Requests at work at once. They share ten connections to the database: more would only make each wait longer. */
const MOST_AT_WORK = 100;
/** Of the heap that the process may have; V8 collects garbage long before. */
const FULL = 0.8;
/** What its own start costs the process is no overload. */
const STARTING_MS = 3000;
/** Who watches the process needs an answer above all when it is busy. */
const ALWAYS_ANSWERED = ['/health/live', '/metrics'];

/** One for all: under overload its stack trace would cost more than the refusal. */
const surplus = new UnavailableError({ retryAfter: 1 });

/**
 * Answers 503 while too many requests are at work, the event loop is later than it may be, or the heap is nearly
 * full, so that those already admitted are served soon.
 * @param maxDelayMs mean lateness over a second; 0 does not look at it
 */
export async function shedLoad(
  fastify: FastifyInstance,
  maxDelayMs: number,
  filter: ErrorFilter,
): Promise<void> {
  const refuse = (request: FastifyRequest, reply: FastifyReply): void =>
    filter.answer(surplus, request, reply);
  let starting = true;
  fastify.addHook('onReady', (done) => {
    setTimeout(() => (starting = false), STARTING_MS).unref();
    done();
  });
  await fastify.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    maxHeapUsedBytes: FULL * getHeapStatistics().heap_size_limit,
    pressureHandler: (request, reply) => {
      if (!starting && !isWatching(request as FastifyRequest))
        refuse(request as FastifyRequest, reply as FastifyReply);
    },
  });
  boundWork(fastify, refuse, filter);
}

/** A request is at work from when its body is here until its answer goes out: slow clients hold no place. */
function boundWork(
  fastify: FastifyInstance,
  refuse: (request: FastifyRequest, reply: FastifyReply) => void,
  filter: ErrorFilter,
): void {
  const atWork = new Set<FastifyRequest>();
  fastify.addHook('preValidation', (request, reply, done) => {
    // Bodies for which there is no room are no fault of theirs: that comes before all that guards may say.
    if (request.body instanceof RefusedBody && request.body.error.status === 503) {
      filter.answer(request.body.error, request, reply);
      return;
    }
    if (atWork.size >= MOST_AT_WORK && !isWatching(request)) {
      refuse(request, reply);
      return;
    }
    atWork.add(request);
    done();
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    atWork.delete(request);
    done(null, payload);
  });
}

const isWatching = ({ routeOptions }: FastifyRequest): boolean =>
  ALWAYS_ANSWERED.includes(routeOptions.url ?? '');
