import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import type { Caller } from '../kernel/callers/caller';
import { CLOCK_TOLERANCE_SECONDS, SessionsRepository } from './sessions.repository';
import { TokenSignatures } from './token-signatures';
import { TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER, type TokenClaims } from './tokens.service';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    signatures: TokenSignatures,
    private readonly sessions: SessionsRepository,
  ) {
    super({
      jwtFromRequest: (request: unknown) => (request as FastifyRequest).credential?.token ?? null,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: Buffer) => void,
      ) => {
        const key = signatures.keyOf(token);
        if (key === null) done(new Error('not a token of this service'));
        // jsonwebtoken takes a key object; passport-jwt's types do not know.
        else done(null, key as unknown as Buffer);
      },
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /** The signature is right; whether the session still is, and whose, the database says. */
  async validate(claims: Partial<TokenClaims>): Promise<Caller | false> {
    const { jti, iat, exp } = claims;
    if (!jti || !UUID.test(jti) || !iat || !exp) return false;
    const caller = await this.sessions.caller(jti);
    return caller && describes(claims, caller) ? caller : false;
  }
}

const describes = ({ sub, pid, kind }: Partial<TokenClaims>, caller: Caller): boolean =>
  sub === String(caller.userId) && pid === caller.platformId && kind === caller.kind;
