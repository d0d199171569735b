import type { Holding } from '#libs/limits';
import type { ErrorShapes } from './error-shapes';
import type { Place } from './places';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShapes?: ErrorShapes;
  }
  interface FastifyRequest {
    /** Of a request for which the router took no route, and that means one nevertheless. */
    errorShapes?: ErrorShapes;
    /** Under which name the rates count the caller, when it is not an anonymous address. */
    rateKey?: string;
    /** Runs out when its answer is due. */
    deadline: NodeJS.Timeout | null;
    /** Its place among those at work. */
    place: Place | null;
    /** The bytes of its body, until its answer has left. */
    bodyInHand: Holding | null;
    /** The bytes of its answer, from when they are known until they have left. */
    answerInHand: Holding | null;
    /** Its answer is out, or its connection gone. */
    hasLeft: boolean;
  }
}
