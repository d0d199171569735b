import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError } from '#libs/errors';
import type { ErrorFilter } from './error.filter';

/** Of the heap that the process may have; V8 collects garbage long before. */
const FULL = 0.8;
/** What its own start costs the process is no overload. */
const STARTING_MS = 3000;
/** Who watches the process needs an answer above all when it is busy. */
const ALWAYS_ANSWERED = ['/health/live', '/metrics'];

/**
 * Answers 503 while the event loop is later than it may be or the heap nearly full, so that those already
 * admitted are served.
 * @param maxDelayMs mean lateness over a second; 0 looks at the heap alone
 */
export async function shedLoad(
  fastify: FastifyInstance,
  maxDelayMs: number,
  filter: ErrorFilter,
): Promise<void> {
  let starting = true;
  fastify.addHook('onReady', (done) => {
    setTimeout(() => (starting = false), STARTING_MS).unref();
    done();
  });
  await fastify.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    maxHeapUsedBytes: FULL * getHeapStatistics().heap_size_limit,
    pressureHandler: (request, reply) => {
      if (starting || ALWAYS_ANSWERED.includes(request.routeOptions.url ?? '')) return;
      filter.answer(new UnavailableError(), request as FastifyRequest, reply as FastifyReply);
    },
  });
}
