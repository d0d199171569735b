/**
 * The refusals that the service can answer, free of HTTP and of any domain.
 *
 * A service throws one of these; the error filter of `#libs/http` is the only place that turns it into a
 * response. `message` is safe to show; whatever caused it travels in `cause` and reaches the log only.
 * docs/errors.md lists every code, and a test compares the two.
 */
export { DomainError, type FieldIssue } from './domain-error';
export * from './common-errors';
