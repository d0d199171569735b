import type { ErrorShapes } from './error-shapes';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShapes?: ErrorShapes;
  }
  interface FastifyRequest {
    /** Of a request for which the router took no route, and that means one nevertheless. */
    errorShapes?: ErrorShapes;
    /** Under which name the rates count the caller, when it is not an anonymous address. */
    rateKey?: string;
  }
}
