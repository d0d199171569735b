import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Settings } from '#libs/config';
import { CLOCK_TOLERANCE_SECONDS } from './sessions.repository';
import { signingKey } from './signing-key';
import {
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
  type TokenClaims,
} from './tokens.service';

interface TokenHeader {
  typ?: string;
  kid?: string;
}

/** What a token shows by itself. */
@Injectable()
export class TokenSignatures {
  constructor(
    private readonly settings: Settings,
    private readonly jwt: JwtService,
  ) {}

  /** The secret that a token says it is signed with, if it is one of this service. */
  keyOf(token: string): KeyObject | null {
    const header = this.headerOf(token);
    if (header?.typ !== TOKEN_TYPE) return null;
    return this.settings.JWT_SECRET.map(signingKey).find(({ kid }) => kid === header.kid)?.key ?? null;
  }

  /** Whom a token was given to, if its signature is right and its time not over. */
  userOf(token: string): number | null {
    const key = this.keyOf(token);
    if (key === null) return null;
    try {
      const { sub } = this.jwt.verify<TokenClaims>(token, {
        // jsonwebtoken takes a key object; the types of Nest's service do not know.
        publicKey: key as unknown as Buffer,
        algorithms: [TOKEN_ALGORITHM],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return Number(sub);
    } catch {
      // Expired or forged: who judges access says which.
      return null;
    }
  }

  private headerOf(token: string): TokenHeader | null {
    try {
      return this.jwt.decode<{ header: TokenHeader } | null>(token, { complete: true })?.header ?? null;
    } catch {
      // The decoder throws at a payload that is no JSON under a header that promises some.
      return null;
    }
  }
}
