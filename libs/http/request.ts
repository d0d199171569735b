import type { ErrorShapes } from './error-shapes';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards once the route is known. */
    errorShapes?: ErrorShapes;
    /** Under which name the rates count the caller, when it is not an anonymous address. */
    rateKey?: string;
  }
}
