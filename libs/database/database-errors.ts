import { ConflictError, type DomainError, UnavailableError, ValidationError } from '#libs/errors';

interface DriverError {
  code?: unknown;
  constraint?: unknown;
  driverError?: DriverError;
}

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// 08 connection, 53 out of resources, 57P0x shutting down, 57014 statement timeout, 55P03 lock timeout,
// 25P03 idle in transaction, 25006 read-only (a standby, or a disk that is full).
const AWAY = /^(08...|53...|57P0.|57014|55P03|25P03|25006)$/;
const SERIALIZATION = /^(40001|40P01)$/;
const FORGOTTEN = /^(26000|42P05)$/;
// pg reports these without a code, and TypeORM the last one: the connection of a transaction ended under it.
const AWAY_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable|Query runner already released/;
// PgBouncer's, under the code that it has for whatever is wrong with a connection.
const REFUSED_PARAMETER = /unsupported startup parameter/;
// A unique constraint named `<table>_taken_<field>` guards a value that a client chose.
const TAKEN = /_taken_(\w+)$/;

const code = (error: unknown): string => {
  const { code: own, driverError } = (error ?? {}) as DriverError;
  const found = driverError?.code ?? own;
  return typeof found === 'string' ? found : '';
};

export const isSerializationFailure = (error: unknown): boolean => SERIALIZATION.test(code(error));

/** A pooler gave us a connection on which a prepared statement is not, or another process made it already. */
export const isForgottenStatement = (error: unknown): boolean => FORGOTTEN.test(code(error));

/** A pooler does not pass on what the connection is to be set to: waiting will not help. */
export const isParameterRefused = (error: unknown): boolean =>
  error instanceof Error && REFUSED_PARAMETER.test(error.message);

const isAway = (error: unknown): boolean =>
  (AWAY.test(code(error)) && !isParameterRefused(error)) ||
  SOCKET_ERRORS.has(code(error)) ||
  (error instanceof Error && AWAY_TEXT.test(error.message));

/** The refusal that stands for an error of the database driver, or null when it is a fault of ours. */
export function databaseError(error: unknown): DomainError | null {
  if (isAway(error) || isForgottenStatement(error)) return new UnavailableError({ cause: error });
  if (isSerializationFailure(error)) return new ConflictError(undefined, error);
  switch (code(error)) {
    case '23505': {
      const { constraint, driverError } = error as DriverError;
      const field = TAKEN.exec(String(driverError?.constraint ?? constraint))?.[1];
      return field ? ValidationError.taken(field) : new ConflictError(undefined, error);
    }
    case '23503':
      return new ConflictError('A record that this one refers to is gone.', error);
    default:
      return null;
  }
}
