import { DomainError, type DomainErrorOptions, type FieldIssue } from './domain-error';

export class ValidationError extends DomainError {
  readonly status = 400;
  readonly code = 'VALIDATION_ERROR';

  constructor(details: FieldIssue[], message = 'The request is not valid.') {
    super(message, { details });
  }

  /** The refusal for one field. */
  static of(field: string, issue: string): ValidationError {
    return new ValidationError([{ field, issue }]);
  }

  /** A value that must be unique and is in use already. */
  static taken(field: string): ValidationError {
    return ValidationError.of(field, 'taken');
  }
}

export class UnauthorizedError extends DomainError {
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';

  constructor(message = 'Missing or invalid credentials.') {
    super(message);
  }
}

export class TokenExpiredError extends DomainError {
  readonly status = 401;
  readonly code = 'TOKEN_EXPIRED';

  constructor() {
    super('The token has expired.');
  }
}

export class EmailNotVerifiedError extends DomainError {
  readonly status = 401;
  readonly code = 'EMAIL_NOT_VERIFIED';

  constructor() {
    super('The e-mail address is not verified yet.');
  }
}

export class ForbiddenError extends DomainError {
  readonly status = 403;
  readonly code: string = 'FORBIDDEN';

  constructor(message = 'This is not allowed.', details?: FieldIssue[]) {
    super(message, { details });
  }
}

export class RoleForbiddenError extends ForbiddenError {
  override readonly code = 'ROLE_FORBIDDEN';

  constructor(details?: FieldIssue[]) {
    super('Your role does not allow this.', details);
  }
}

export class BannedError extends ForbiddenError {
  override readonly code = 'BANNED';

  constructor() {
    super('You are banned from this platform.');
  }
}

export class NotFoundError extends DomainError {
  readonly status = 404;
  readonly code = 'NOT_FOUND';

  constructor(message = 'Not found.') {
    super(message);
  }
}

export class ConflictError extends DomainError {
  readonly status = 409;
  readonly code = 'CONFLICT';

  constructor(message = 'The record was changed by someone else.', cause?: unknown) {
    super(message, { cause });
  }
}

export class PayloadTooLargeError extends DomainError {
  readonly status = 413;
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor() {
    super('The request body is too large.');
  }
}

export class UnsupportedMediaTypeError extends DomainError {
  readonly status = 415;
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';

  constructor() {
    super('Send the body as application/json.');
  }
}

export class RateLimitedError extends DomainError {
  readonly status = 429;
  readonly code = 'RATE_LIMITED';

  constructor(retryAfter: number) {
    super('Too many requests.', { retryAfter });
  }
}

export class UnavailableError extends DomainError {
  readonly status = 503;
  readonly code = 'UNAVAILABLE';

  constructor(options: Pick<DomainErrorOptions, 'cause' | 'retryAfter'> = {}) {
    super('The service is busy or a part of it is away. Try again.', { retryAfter: 2, ...options });
  }
}

/**
 * Refuses ids that are no records of the platform, all fields at once.
 * @throws ValidationError
 */
export function refuseUnknownIds(unknown: Record<string, readonly number[]>): void {
  const details = Object.entries(unknown).flatMap(([field, ids]) =>
    ids.map((id) => ({ field, issue: `unknown id ${id}` })),
  );
  if (details.length > 0) throw new ValidationError(details);
}
