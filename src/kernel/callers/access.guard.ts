import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import {
  BannedError,
  EmailNotVerifiedError,
  ForbiddenError,
  RoleForbiddenError,
  UnauthorizedError,
} from '#libs/errors';
import { ACCESS, type AccessRule, refuseUnreadableBody } from '#libs/http';
import type { Caller } from './caller';
import { hasServiceSecret } from './service-secret';
import { Origins } from '../origins/origins';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Judges the `@Access` of the route: 401, then what is wrong with the body's size or type, then 403. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly origins: Origins,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const rule = this.reflector.get<AccessRule>(ACCESS, context.getHandler());
    if (rule.who === 'secret') requireSecret(request, this.settings);
    else requireIdentity(rule, request);
    refuseUnreadableBody(request.body);
    if (request.caller) await this.requireRight(rule, request, request.caller);
    return true;
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

function requireSecret(request: FastifyRequest, settings: Settings): void {
  if (!hasServiceSecret(request, settings)) throw new UnauthorizedError('Missing or invalid service secret.');
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
