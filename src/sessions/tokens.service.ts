import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import type { Sql } from '#libs/database';
import { currentRequest, shortenedIp } from '#libs/http';
import type { Caller, SessionKind } from './caller';
import type { Session } from './session.entity';
import { SessionsRepository } from './sessions.repository';
import { signingKey } from './signing-key';

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

/** Issues access tokens; each is a session that can be ended. */
@Injectable()
export class TokensService {
  constructor(
    private readonly jwt: JwtService,
    private readonly sessions: SessionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * A token for a new session of the user.
   * @param entry what is logged of it, in the same statement
   */
  issue(owner: TokenOwner, kind: SessionKind, entry?: Sql): Promise<string> {
    return this.open(owner, { kind }, TOKEN_SECONDS, entry);
  }

  /** A token that is good for one object and ends with the caller's own session. */
  issueEmbed({ userId, platformId, sessionId }: Caller, object: string, seconds: number): Promise<string> {
    const owner = { id: userId, PlatformId: platformId };
    return this.open(owner, { kind: 'embed', object, parentId: sessionId }, seconds);
  }

  private async open(
    owner: TokenOwner,
    session: Pick<Session, 'kind'> & Partial<Pick<Session, 'object' | 'parentId'>>,
    seconds: number,
    entry?: Sql,
  ): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now();
    const request = currentRequest();
    const opened = {
      ...session,
      id,
      UserId: owner.id,
      PlatformId: owner.PlatformId,
      expiresAt: new Date(now.getTime() + seconds * 1000),
      createdAt: now,
      lastSeenAt: now,
      ip: request && shortenedIp(request.ip),
      userAgent: request?.userAgent ?? null,
    };
    await this.sessions.insert(opened, entry);
    return this.sign(id, owner, session.kind, Math.floor(now.getTime() / 1000), seconds);
  }

  private sign(id: string, owner: TokenOwner, kind: SessionKind, issued: number, seconds: number): string {
    const [secret = ''] = this.settings.JWT_SECRET;
    const { kid, key } = signingKey(secret);
    return this.jwt.sign(
      { pid: owner.PlatformId, kind, iat: issued, exp: issued + seconds },
      {
        privateKey: key,
        algorithm: TOKEN_ALGORITHM,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        subject: String(owner.id),
        jwtid: id,
        header: { alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid },
      },
    );
  }
}
