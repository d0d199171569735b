import type { Holding } from '#libs/limits';
import type { AccessRule } from './access';
import type { ErrorShapes } from './error-shapes';
import type { Place } from './places';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShapes?: ErrorShapes;
    access?: AccessRule;
    /** One that the route counts against besides the general ones. */
    rate?: 'search' | 'comment';
  }
  interface FastifyRequest {
    /** Of a request for which the router took no route, and that means one nevertheless. */
    errorShapes?: ErrorShapes;
    /** Where it comes from, past the proxies that are believed: always an address. */
    clientIp: string;
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
