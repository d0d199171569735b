import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

export interface SigningKey {
  /** Names the secret in a token's header, so that two can be valid while one replaces the other. */
  kid: string;
  key: KeyObject;
}

const known = new Map<string, SigningKey>();

/** A key object, because jsonwebtoken would try text as a public or private key first, each time. */
export function signingKey(secret: string): SigningKey {
  const made = known.get(secret) ?? { kid: keyId(secret), key: createSecretKey(Buffer.from(secret)) };
  known.set(secret, made);
  return made;
}

const keyId = (secret: string): string =>
  createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 12);
