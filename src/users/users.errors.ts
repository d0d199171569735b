import { DomainError } from '#libs/errors';

export class LastAdminError extends DomainError {
  readonly status = 400;
  readonly code = 'LAST_ADMIN';

  constructor() {
    super('The last admin of a platform cannot be demoted, banned or deleted.');
  }
}
