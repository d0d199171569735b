import type { FastifyInstance } from 'fastify';
import { ValidationError } from '#libs/errors';
import type { ErrorFilter } from './error.filter';

const MAX_PARAMETERS = 100;

/** Repeated parameters become arrays, which no scalar parameter accepts. A query that is refused is not read. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  if (hasTooMany(text)) return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}

/** Answers 400 to a query of too many parameters on every route, those that are none included. */
export function refuseLongQueries(fastify: FastifyInstance, filter: ErrorFilter): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const start = request.url.indexOf('?') + 1;
    if (start === 0 || !hasTooMany(request.url.slice(start))) done();
    else filter.answer(ValidationError.of('query', `over ${MAX_PARAMETERS} parameters`), request, reply);
  });
}

const hasTooMany = (text: string): boolean => text.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS;
