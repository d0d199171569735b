import type { FastifyRequest } from 'fastify';
import type { Settings } from '#libs/config';
import { sameSecret } from '#libs/crypto';

const SECRET_HEADER = 'x-service-secret';

export function hasServiceSecret({ headers }: FastifyRequest, { SERVICE_SECRET }: Settings): boolean {
  const given = headers[SECRET_HEADER];
  return typeof given === 'string' && SERVICE_SECRET.some((one) => sameSecret(given, one));
}
