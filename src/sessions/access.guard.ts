import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import { sameSecret } from '#libs/crypto';
import {
  BannedError,
  EmailNotVerifiedError,
  ForbiddenError,
  RoleForbiddenError,
  UnauthorizedError,
} from '#libs/errors';
import { ACCESS, type AccessRule, addressKey, RateLimits, refuseUnreadableBody } from '#libs/http';
import type { Caller } from './caller';
import { Origins } from '../platforms/origins';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SECRET_HEADER = 'x-service-secret';

/** Judges the `@Access` of the route: 401, then what is wrong with the body's size or type, then 403. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly rates: RateLimits,
    private readonly origins: Origins,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const rule = this.reflector.get<AccessRule>(ACCESS, context.getHandler());
    if (rule.who === 'secret') await this.requireSecret(request, http.getResponse<FastifyReply>());
    else requireIdentity(rule, request);
    refuseUnreadableBody(request.body);
    if (request.caller) await this.requireRight(rule, request, request.caller);
    return true;
  }

  private async requireSecret(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const given = request.headers[SECRET_HEADER];
    const known =
      typeof given === 'string' && this.settings.SERVICE_SECRET.some((one) => sameSecret(given, one));
    if (known) return this.rates.consume('minting', 'secret', request, reply);
    await this.rates.consume('mintingFailure', addressKey(request.ip), request, reply);
    throw new UnauthorizedError('Missing or invalid service secret.');
  }

  private async requireRight(rule: AccessRule, request: FastifyRequest, caller: Caller): Promise<void> {
    if (rule.roles && !rule.roles.includes(caller.role)) throw new RoleForbiddenError();
    if (READS.has(request.method)) return;
    if (caller.banned && !rule.banned) throw new BannedError();
    if (request.credential?.source === 'cookie' && !(await this.comesFromOurPages(request, caller))) {
      throw new ForbiddenError('A cookie alone does not authorise a request from this origin.');
    }
  }

  private async comesFromOurPages({ headers }: FastifyRequest, { platformId }: Caller): Promise<boolean> {
    return (
      headers.origin !== undefined &&
      headers['content-type']?.toLowerCase().startsWith('application/json') === true &&
      (await this.origins.isAllowed(headers.origin, platformId))
    );
  }
}

function requireIdentity(rule: AccessRule, request: FastifyRequest): void {
  const { refusal, caller, credential } = request;
  const who = rule.optionalWith && hasParameter(request, rule.optionalWith) ? 'optional' : rule.who;
  if (who === 'member') {
    if (refusal) throw refusal;
    if (!caller) throw new UnauthorizedError();
    if (caller.pending && !rule.pending) throw new EmailNotVerifiedError();
    return;
  }
  // A dead cookie is no choice of the client's: it goes on as anonymous, and the cookie is cleared.
  if (refusal && who === 'optional' && credential?.source !== 'cookie') throw refusal;
  // Until the address is verified, a sign-in adds nothing.
  if (caller?.pending) delete request.caller;
}

const hasParameter = ({ query }: FastifyRequest, name: string): boolean =>
  (query as Record<string, unknown>)[name] !== undefined;
