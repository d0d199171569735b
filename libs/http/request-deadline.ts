import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { throughout } from '#libs/deadline';
import { UnavailableError } from '#libs/errors';
import type { ErrorFilter } from './error.filter';

/** One for all: nobody reads its stack. */
const abandoned = new UnavailableError({ retryAfter: 2 });

/**
 * A request is answered with 503 when it takes longer than it may, whatever its handler waits for; what it has not
 * begun by then is left, and so is the work of a client that is gone. The time begins anew when the body is here.
 */
export function keepDeadline(fastify: FastifyInstance, ms: number, filter: ErrorFilter): void {
  fastify.decorateRequest('deadline', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    const controller = new AbortController();
    const deadline = setTimeout(() => {
      controller.abort(abandoned);
      answerLate(filter, request, reply);
      // Whatever hangs, and however long the answer takes to leave.
      request.place?.leave();
    }, ms);
    request.deadline = deadline.unref();
    reply.raw.once('close', () => {
      clearTimeout(deadline);
      // What goes on after an answer was meant to.
      if (!reply.raw.writableEnded) controller.abort(abandoned);
    });
    throughout(controller.signal, done);
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    request.deadline?.refresh();
    done();
  });
}

function answerLate(filter: ErrorFilter, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return;
  // Of its connection nothing else is expected, and its body may still be on the way.
  reply.header('connection', 'close');
  filter.answer(abandoned, request, reply);
}
