import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TestApp } from './test-app';

interface Changes {
  header?: object;
  claims?: object;
  /** The key to sign with, when it is not the service's own. */
  secret?: string;
  hash?: 'sha256' | 'sha512';
}

const decoded = (part = ''): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token like this one with some parts changed (undefined removes one), and a signature that fits them. */
export function resigned(test: TestApp, token: string, changes: Changes = {}): string {
  const { header, claims, secret = test.settings.JWT_SECRET[0] ?? '', hash = 'sha256' } = changes;
  const [oldHeader, oldClaims] = token.split('.');
  const signed = `${encoded({ ...decoded(oldHeader), ...header })}.${encoded({ ...decoded(oldClaims), ...claims })}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

/** What the header `Cookie` holds when a customer's server has set the token as a signed cookie. */
export function tokenCookie(test: TestApp, token: string): { cookie: string } {
  const fastify: FastifyInstance = test.app.getHttpAdapter().getInstance();
  return { cookie: `token=${encodeURIComponent(fastify.signCookie(token))}` };
}

export const claimsOf = (token: string): Record<string, unknown> =>
  decoded(token.split('.')[1]) as Record<string, unknown>;
