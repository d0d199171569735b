import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { databaseError } from '#libs/database';
import {
  DomainError,
  ForbiddenError,
  NotFoundError,
  PayloadTooLargeError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '#libs/errors';
import { errorBody, INTERNAL_ERROR_TEXT } from './error-shapes';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A refusal whose body is there already, as JSON. */
export class MadeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super('This was refused before.');
  }
}

/** The only place that turns an error into a response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    if (isGone(request)) {
      this.logger.debug({ msg: 'The client went away before its request was here', requestId: request.id });
      return;
    }
    void reply.send(this.refuse(error, request, reply));
  }

  /** Makes a refusal of the reply, whatever type the route announced for what it would have answered. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): object | string {
    reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
    if (error instanceof MadeRefusal) {
      reply.status(error.status);
      return error.body;
    }
    const refusal = refusalOf(error);
    if (!refusal) {
      this.logger.error({ err: error, requestId: request.id });
      reply.status(500);
      return { error: INTERNAL_ERROR_TEXT };
    }
    if (refusal.cause) this.logger.warn({ err: refusal.cause, code: refusal.code, requestId: request.id });
    if (refusal.retryAfter) reply.header('retry-after', Math.max(1, Math.ceil(refusal.retryAfter)));
    reply.status(refusal.status);
    return refusalBody(refusal, request);
  }
}

/** Whether the connection broke off within the request: nobody waits for an answer, and no part has failed. */
const isGone = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** The body of a refusal, in the shape that the route of the request has for it. */
export function refusalBody(refusal: DomainError, request: FastifyRequest): object {
  const shapes = request.errorShapes ?? request.routeOptions.config.errorShapes;
  return errorBody(refusal, shapes?.[refusal.status] ?? 'shared', request.id);
}

/** The refusal that an error is answered with, or null when it is a fault of ours. */
export function refusalOf(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  return databaseError(error) ?? frameworkError(error);
}

/** Refusals of Nest and Fastify themselves: unknown routes, bad URLs, bodies that cannot be read. */
function frameworkError(error: unknown): DomainError | null {
  const status =
    error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown }).statusCode;
  switch (status) {
    case 400:
    case 414:
    case 431:
      return new ValidationError([], 'The request cannot be read.');
    case 401:
      return new UnauthorizedError();
    case 403:
      return new ForbiddenError();
    case 404:
    case 405:
      return new NotFoundError('No such route.');
    case 413:
      return new PayloadTooLargeError();
    case 415:
      return new UnsupportedMediaTypeError();
    case 429:
      return new RateLimitedError(1);
    case 503:
      return new UnavailableError({ cause: error });
    default:
      return null;
  }
}
