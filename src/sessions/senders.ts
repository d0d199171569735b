import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import type { Sender } from '#libs/http';
import { Callers } from '../kernel/callers/callers';
import { credentialOf } from '../kernel/callers/credential';
import { hasServiceSecret } from '../kernel/callers/service-secret';
import { TokenSignatures } from './token-signatures';

/** Whom the rates count a request for. A good signature is enough: whether the session still is, is asked later. */
@Injectable()
export class Senders {
  constructor(
    private readonly settings: Settings,
    private readonly callers: Callers,
    private readonly signatures: TokenSignatures,
  ) {}

  of(request: FastifyRequest): Sender {
    const { access } = request.routeOptions.config;
    if (access?.who === 'secret') return hasServiceSecret(request, this.settings) ? 'server' : null;
    const credential = credentialOf(request, this.settings.TOKEN_HEADER_NAME, access?.embed);
    if (!credential) return null;
    const userId = this.callers.recent(credential.token)?.userId ?? this.signatures.userOf(credential.token);
    return userId === null ? null : `user:${userId}`;
  }
}
