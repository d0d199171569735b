import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorShapes } from './error-shapes';

type ShapesOf = (request: FastifyRequest) => ErrorShapes | undefined;

/**
 * The router takes no route for a path that it cannot decode, or with a part that is too long. A client asked
 * for one nevertheless, and gets the refusal in the shape of that route.
 */
export function keepShapesOfUnrouted(fastify: FastifyInstance): ShapesOf {
  const routes: { method: unknown; pattern: RegExp; shapes: ErrorShapes }[] = [];
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const shapes = config?.errorShapes;
    if (shapes) routes.push({ method, pattern: patternOf(url), shapes });
  });
  return ({ method, originalUrl }) => {
    const [path = ''] = originalUrl.split('?', 1);
    return routes.find((route) => route.method === method && route.pattern.test(path))?.shapes;
  };
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`);
