import { destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'password',
  'currentPassword',
  'otp',
  'secret',
  'parameterData',
  'passwordHash',
];
const SECRETS = [...SECRET_FIELDS, '["set-cookie"]', '["x-service-secret"]'];
const REDACTED = ['', '*.', '*.*.', '*.*.*.'].flatMap((depth) =>
  SECRETS.map((field) => (field.startsWith('[') ? `${depth.slice(0, -1)}${field}` : `${depth}${field}`)),
);

/** An error as a log shows it: not the parameters of the statement that failed, they may hold what users sent. */
function serializeError(error: Error): object {
  const { type, message, stack, code, aggregateErrors } = stdSerializers.err(error) as Record<
    string,
    unknown
  >;
  return { type, message, stack, code, aggregateErrors };
}

/** @param file where to write instead of standard output: a path, or 2 for standard error */
export const createLogger = (level: string, file?: string | number): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    // Lines are gathered before they are written: a system call for each would cost more than the line.
    destination({
      dest: file ?? 1,
      sync: file !== undefined,
      minLength: file ? 0 : 4096,
      periodicFlush: 500,
    }),
  );
