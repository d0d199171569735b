import { DomainError } from '#libs/errors';

export class InvalidOtpError extends DomainError {
  readonly status = 401;
  readonly code = 'INVALID_OTP';

  constructor() {
    super('The code is wrong or no longer valid.');
  }
}

export class InvalidTokenError extends DomainError {
  readonly status = 400;
  readonly code = 'INVALID_TOKEN';

  constructor() {
    super('The link is wrong or no longer valid.');
  }
}
