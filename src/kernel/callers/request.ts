import type { DomainError } from '#libs/errors';
import type { Caller } from './caller';
import type { Credential } from './credential';

declare module 'fastify' {
  interface FastifyRequest {
    credential?: Credential;
    /** Set when the credential is good. */
    caller?: Caller;
    /** Set when there is a credential and it is bad; the access guard decides whether that matters. */
    refusal?: DomainError;
  }
}
