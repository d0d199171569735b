import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import { TokenExpiredError, UnauthorizedError } from '#libs/errors';
import { ACCESS, type AccessRule } from '#libs/http';
import type { Caller } from './caller';
import { Callers } from './callers';
import { type Credential, credentialOf, EMBED_COOKIE, embedCookie, TOKEN_COOKIE } from './credential';

/** Finds out who calls, and refuses nobody. */
@Injectable()
export class IdentificationGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly callers: Callers,
  ) {
    super({ session: false, property: 'caller' });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const rule = this.reflector.get<AccessRule>(ACCESS, context.getHandler());
    if (rule.who === 'secret' || (rule.who === 'public' && !rule.caller)) return true;
    const credential = credentialOf(request, this.settings.TOKEN_HEADER_NAME, rule.embed);
    if (!credential) return true;
    request.credential = credential;
    context.switchToHttp().getResponse<FastifyReply>().header('cache-control', 'private, no-store');
    request.caller = await this.callers.get(credential.token, async () => {
      await super.canActivate(context);
      return request.caller;
    });
    refuseOtherObjects(request, rule);
    if (request.refusal) clearCookie(context, credential.source, rule.embed);
    return true;
  }

  override handleRequest<User = Caller>(
    error: unknown,
    user: User | false,
    info: unknown,
    context: ExecutionContext,
  ): User {
    // A store that cannot be read must not pass for a bad token, let alone for a good one.
    if (error && !isTokenFault(error)) throw error;
    if (user) return user;
    const expired = info instanceof Error && info.name === 'TokenExpiredError';
    context.switchToHttp().getRequest<FastifyRequest>().refusal = expired
      ? new TokenExpiredError()
      : new UnauthorizedError();
    return undefined as User;
  }
}

/**
 * A session of one object is nobody anywhere else, nor in an address: only a ticket is exchanged for a session, and
 * a ticket is good for nothing else.
 */
function refuseOtherObjects(request: FastifyRequest, { embed }: AccessRule): void {
  const { caller, credential } = request;
  if (caller?.kind !== 'embed') return;
  const { id } = request.params as Record<string, string>;
  const isAbout = embed !== undefined && caller.object === `${embed}:${id}`;
  if (isAbout && caller.ticket === (credential?.source === 'query')) return;
  delete request.caller;
  request.refusal = new UnauthorizedError();
}

const isTokenFault = (error: unknown): boolean =>
  error instanceof Error && error.message === 'not a token of this service';

/** A dead cookie is taken back; one in a partition by a cookie of the same kind. */
function clearCookie(context: ExecutionContext, source: Credential['source'], embed = ''): void {
  const http = context.switchToHttp();
  const reply = http.getResponse<FastifyReply>();
  if (source === 'cookie') reply.clearCookie(TOKEN_COOKIE, { path: '/' });
  if (source !== 'embed') return;
  const { id = '' } = http.getRequest<FastifyRequest>().params as Record<string, string>;
  reply.clearCookie(embedCookie(embed, id), EMBED_COOKIE);
}
