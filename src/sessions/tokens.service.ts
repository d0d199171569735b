import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import type { SessionKind } from './caller';
import { SessionsRepository } from './sessions.repository';

export const TOKEN_SECONDS = 30 * 24 * 60 * 60;
export const TOKEN_TYPE = 'at+jwt';
export const TOKEN_ALGORITHM = 'HS256';
export const TOKEN_ISSUER = 'community';
export const TOKEN_AUDIENCE = 'community-api';

export interface TokenClaims {
  sub: string;
  pid: number;
  jti: string;
  kind: SessionKind;
  iat: number;
  exp: number;
}

interface TokenOwner {
  id: number;
  PlatformId: number;
}

/** Names a signing secret in the token's header, so that two can be valid while one replaces the other. */
export const keyId = (secret: string): string =>
  createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 12);

/** Issues access tokens; each is a session that can be ended. */
@Injectable()
export class TokensService {
  constructor(
    private readonly jwt: JwtService,
    private readonly sessions: SessionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async issue(owner: TokenOwner, kind: SessionKind, seconds = TOKEN_SECONDS): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + seconds * 1000);
    await this.sessions.insert({ id, UserId: owner.id, PlatformId: owner.PlatformId, kind, expiresAt });
    const [secret = ''] = this.settings.JWT_SECRET;
    const issued = Math.floor(now.getTime() / 1000);
    return this.jwt.sign(
      { pid: owner.PlatformId, kind, iat: issued, exp: issued + seconds },
      {
        secret,
        algorithm: TOKEN_ALGORITHM,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        subject: String(owner.id),
        jwtid: id,
        header: { alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: keyId(secret) },
      },
    );
  }
}
