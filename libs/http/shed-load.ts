import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '#libs/config';
import { UnavailableError } from '#libs/errors';
import { RefusedBody } from './body-parser';
import { ALWAYS_ANSWERED } from './entrance';
import type { ErrorFilter } from './error.filter';
import type { InHand } from './in-hand';
import { observeLoad } from './observe-load';
import { boundWork, Places } from './places';

const MIB = 1024 * 1024;
/** Of the heap that the process may have; V8 collects garbage long before. */
const FULL = 0.8;
/** So many are let in however much memory the process has: it is work that makes it collect its garbage. */
const FEW = 4;
/** What its own start costs the process is no overload. */
const STARTING_MS = 3000;

/** One for all: under overload its stack trace would cost more than the refusal. */
const surplus = new UnavailableError({ retryAfter: 1 });

/**
 * Answers 503 while too many requests are at work, the event loop is later than it may be, or memory is nearly full,
 * so that those already admitted are served soon.
 */
export async function shedLoad(
  fastify: FastifyInstance,
  { MAX_EVENT_LOOP_DELAY_MS, MAX_TIME_AT_WORK_MS, MAX_RSS_MIB }: Settings,
  filter: ErrorFilter,
  inHand: InHand,
): Promise<void> {
  const refuse = (request: FastifyRequest, reply: FastifyReply): void =>
    filter.answer(surplus, request, reply);
  const places = new Places(inHand, MAX_TIME_AT_WORK_MS);
  let starting = true;
  fastify.addHook('onReady', (done) => {
    setTimeout(() => (starting = false), STARTING_MS).unref();
    done();
  });
  await fastify.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    maxHeapUsedBytes: FULL * getHeapStatistics().heap_size_limit,
    maxRssBytes: MAX_RSS_MIB * MIB,
    pressureHandler: (request, reply, pressure) => {
      if (starting || isWatching(request as FastifyRequest)) return;
      if (pressure === underPressure.TYPE_RSS_BYTES && places.count < FEW) return;
      refuse(request as FastifyRequest, reply as FastifyReply);
    },
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    // A body for which there is no room is no fault of its own: that comes before all that guards may say.
    if (request.body instanceof RefusedBody && request.body.error.status === 503)
      filter.answer(request.body.error, request, reply);
    else done();
  });
  boundWork(fastify, places, { isFree: isWatching, refuse });
  observeLoad(places, inHand);
}

const isWatching = ({ routeOptions }: FastifyRequest): boolean =>
  ALWAYS_ANSWERED.includes(routeOptions.url ?? '');
