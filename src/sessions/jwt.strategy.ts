import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { Settings } from '#libs/config';
import type { Caller } from './caller';
import { SessionsRepository } from './sessions.repository';
import {
  keyId,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
  type TokenClaims,
} from './tokens.service';

const CLOCK_TOLERANCE_SECONDS = 30;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    settings: Settings,
    jwt: JwtService,
    private readonly sessions: SessionsRepository,
  ) {
    super({
      jwtFromRequest: (request: unknown) => (request as FastifyRequest).credential?.token ?? null,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, secret?: string) => void,
      ) => {
        const header = jwt.decode<{ header: { typ?: string; kid?: string } } | null>(token, {
          complete: true,
        })?.header;
        const secret = settings.JWT_SECRET.find((candidate) => keyId(candidate) === header?.kid);
        if (header?.typ !== TOKEN_TYPE || secret === undefined)
          done(new Error('not a token of this service'));
        else done(null, secret);
      },
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /** The signature is right; whether the session still is, the database says. */
  async validate(claims: Partial<TokenClaims>): Promise<Caller | false> {
    if (!claims.jti || !UUID.test(claims.jti) || !claims.exp || !claims.sub) return false;
    return (await this.sessions.caller(claims.jti)) ?? false;
  }
}
