import { randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** A client's own request id is kept when it is a plain one. */
export function requestIdOf({ headers }: { headers: Record<string, unknown> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
