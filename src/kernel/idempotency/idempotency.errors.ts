import { DomainError } from '#libs/errors';

export class IdempotencyMismatchError extends DomainError {
  readonly status = 422;
  readonly code = 'IDEMPOTENCY_MISMATCH';

  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

export class StillAtWorkError extends DomainError {
  readonly status = 409;
  readonly code = 'CONFLICT';

  constructor() {
    super('The request with this Idempotency-Key is still at work. Try again.', { retryAfter: 1 });
  }
}

export class AnswerNotKeptError extends DomainError {
  readonly status = 409;
  readonly code = 'CONFLICT';

  constructor() {
    super('The request with this Idempotency-Key was carried out; its answer was too large to keep.');
  }
}
