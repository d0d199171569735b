import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { mac } from '#libs/crypto';
import { ValidationError } from '#libs/errors';
import { IDEMPOTENCY_KEY } from '#libs/http';
import type { Caller } from '../callers/caller';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** A request that its sender may repeat. */
export interface KeyedRequest {
  /** Of the user, route and key: all that are meant as one have the same. */
  readonly id: Buffer;
  /** Tells one body from another, under each of the service's keys: what a body says may be guessed. */
  readonly prints: Buffer[];
}

/** @throws ValidationError when the key is ill-formed */
export function keyedRequest(
  { method, routeOptions, headers, params, query, body }: FastifyRequest,
  { userId }: Caller,
  secrets: readonly string[],
): KeyedRequest {
  const key = headers[IDEMPOTENCY_KEY];
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    throw ValidationError.of('Idempotency-Key', 'must be 1 to 255 printable characters');
  }
  const route = `${method} ${routeOptions.url}`;
  const sent = canonical([params, query, body ?? {}]);
  return {
    id: hash('sha256', JSON.stringify([userId, route, key]), 'buffer'),
    prints: secrets.map((secret) => mac(secret, 'idempotency', sent)),
  };
}

/** The same for what differs in spaces and in the order of its fields only. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
