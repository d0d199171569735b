import { DomainError } from '#libs/errors';

export class InvalidImpressionTokenError extends DomainError {
  readonly status = 400;
  readonly code = 'INVALID_TOKEN';

  constructor() {
    super('The token is of another ad, or no longer valid.');
  }
}
