/** One faulty field of a request: its path (`ContentIds.2`) and what is wrong with it (`taken`). */
export interface FieldIssue {
  field: string;
  issue: string;
}

export interface DomainErrorOptions {
  details?: FieldIssue[];
  /** Seconds after which trying again makes sense; becomes the header `Retry-After`. */
  retryAfter?: number;
  /** What went wrong underneath: logged under the request id, never shown. */
  cause?: unknown;
}

export abstract class DomainError extends Error {
  abstract readonly status: number;
  abstract readonly code: string;
  readonly details?: FieldIssue[];
  readonly retryAfter?: number;

  constructor(message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}
