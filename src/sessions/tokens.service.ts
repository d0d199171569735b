import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import type { Sql } from '#libs/database';
import { currentRequest, shortenedIp } from '#libs/http';
import type { Caller, SessionKind } from '../kernel/callers/caller';
import { type NewSession, SessionsRepository } from './sessions.repository';
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

/** A token for one object, and for how many seconds it is good. */
interface EmbedToken {
  token: string;
  seconds: number;
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
  async issue(owner: TokenOwner, kind: SessionKind, entry?: Sql): Promise<string> {
    const session = this.newSession(owner, kind, TOKEN_SECONDS);
    await this.sessions.insert(session, entry);
    return this.sign(session, session.expiresAt);
  }

  /** A token for the address of a frame: it is exchanged once, by `exchange`, and good for nothing else. */
  issueTicket(caller: Caller, object: string, seconds: number): Promise<EmbedToken | null> {
    return this.openEmbed(caller, { object, ticket: true }, seconds);
  }

  /** A token that is good for one object. One for a ticket is given once, also when many ask at the same moment. */
  exchange(caller: Caller, object: string, seconds: number): Promise<EmbedToken | null> {
    return this.openEmbed(caller, { object }, seconds);
  }

  private async openEmbed(
    caller: Caller,
    values: Pick<NewSession, 'object' | 'ticket'>,
    seconds: number,
  ): Promise<EmbedToken | null> {
    const owner = { id: caller.userId, PlatformId: caller.platformId };
    const session = { ...this.newSession(owner, 'embed', seconds), ...values };
    const expiresAt = await this.sessions.insertChild(session, caller);
    if (!expiresAt) return null;
    const left = Math.floor((expiresAt.getTime() - session.createdAt.getTime()) / 1000);
    return { token: this.sign(session, expiresAt), seconds: left };
  }

  private newSession(owner: TokenOwner, kind: SessionKind, seconds: number): NewSession {
    const now = this.clock.now();
    const request = currentRequest();
    return {
      kind,
      id: randomUUID(),
      UserId: owner.id,
      PlatformId: owner.PlatformId,
      expiresAt: new Date(now.getTime() + seconds * 1000),
      createdAt: now,
      lastSeenAt: now,
      ip: request && shortenedIp(request.ip),
      userAgent: request?.userAgent ?? null,
    };
  }

  private sign({ id, UserId, PlatformId, kind, createdAt }: NewSession, expiresAt: Date): string {
    const [secret = ''] = this.settings.JWT_SECRET;
    const { kid, key } = signingKey(secret);
    return this.jwt.sign(
      { pid: PlatformId, kind, iat: epochSeconds(createdAt), exp: epochSeconds(expiresAt) },
      {
        privateKey: key,
        algorithm: TOKEN_ALGORITHM,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        subject: String(UserId),
        jwtid: id,
        header: { alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid },
      },
    );
  }
}

/** As the times of a token are written. */
const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
