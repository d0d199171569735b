import type { FastifyRequest } from 'fastify';

export const TOKEN_COOKIE = 'token';

export interface Credential {
  token: string;
  source: 'bearer' | 'header' | 'cookie';
}

/**
 * The one credential of a request: the first that is present decides, and a bad one is never rescued by
 * another. An `Authorization` of another scheme counts as absent. A cookie whose signature is wrong is a
 * credential too, with an empty token, so that it is refused rather than passed over.
 */
export function credentialOf(request: FastifyRequest, tokenHeader: string): Credential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined && /^bearer(\s|$)/i.test(authorization)) {
    return { token: authorization.slice('bearer'.length).trim(), source: 'bearer' };
  }
  const header = request.headers[tokenHeader.toLowerCase()];
  if (header !== undefined) return { token: String(header), source: 'header' };
  const cookie = request.cookies?.[TOKEN_COOKIE];
  if (cookie !== undefined) {
    const { valid, value } = request.unsignCookie(cookie);
    return { token: valid ? value : '', source: 'cookie' };
  }
  return null;
}
