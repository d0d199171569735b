import { PageDto } from '#libs/http';

/** One thing that happened on the platform. */
export class AuditEntryDto {
  /** @example "1042" */
  id!: string;

  /** @example "2026-02-03T18:20:11.000Z" */
  at!: Date;

  /**
   * Who did it; null when it was the operator, or nobody had signed in.
   * @example 12
   */
  actorId!: number | null;

  /** @example "user.role" */
  action!: string;

  /** @example "user" */
  targetType!: string;

  /** @example "15" */
  targetId!: string | null;

  /**
   * Names of the fields that changed.
   * @example ["role"]
   */
  fields!: string[];

  /**
   * The address, shortened to /24 or /48.
   * @example "203.0.113.0/24"
   */
  ip!: string | null;

  /**
   * The `X-Request-Id` of the answer. One that the client made up begins with `client:`; only those without it are
   * sure to be of one request.
   * @example "7f9c0a52-5f0e-4a3e-9d8f-0b6f3f1d2c11"
   */
  requestId!: string | null;
}

export class AuditPageDto extends PageDto(AuditEntryDto) {}
