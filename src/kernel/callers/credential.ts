import type { FastifyRequest } from 'fastify';

export const TOKEN_COOKIE = 'token';

/** In a frame on another site, which has cookies of its own for each page around it. */
export const EMBED_COOKIE = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'none',
  partitioned: true,
} as const;

/** The cookie of a session that is good for one object. */
export const embedCookie = (kind: string, id: string | number): string => `embed_${kind}_${id}`;

export interface Credential {
  token: string;
  source: 'bearer' | 'header' | 'cookie' | 'query' | 'embed';
}

/**
 * The one credential of a request: the first that is present decides, and a bad one is never rescued by
 * another. An `Authorization` of another scheme counts as absent. A cookie whose signature is wrong is a
 * credential too, with an empty token, so that it is refused rather than passed over.
 * @param embed the kind of object that the page is about; elsewhere a token in the query is no credential
 */
export function credentialOf(
  request: FastifyRequest,
  tokenHeader: string,
  embed?: string,
): Credential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined && /^bearer(\s|$)/i.test(authorization)) {
    return { token: authorization.slice('bearer'.length).trim(), source: 'bearer' };
  }
  const header = request.headers[tokenHeader.toLowerCase()];
  if (header !== undefined) return { token: String(header), source: 'header' };
  const cookie = signedCookie(request, TOKEN_COOKIE);
  if (cookie !== null) return { token: cookie, source: 'cookie' };
  return embed === undefined ? null : embedCredential(request, embed);
}

function embedCredential(request: FastifyRequest, embed: string): Credential | null {
  const { token } = request.query as Record<string, unknown>;
  if (typeof token === 'string') return { token, source: 'query' };
  const { id } = request.params as Record<string, string>;
  const cookie = signedCookie(request, embedCookie(embed, id ?? ''));
  return cookie === null ? null : { token: cookie, source: 'embed' };
}

function signedCookie(request: FastifyRequest, name: string): string | null {
  const cookie = request.cookies?.[name];
  if (cookie === undefined) return null;
  const { valid, value } = request.unsignCookie(cookie);
  return valid ? value : '';
}
