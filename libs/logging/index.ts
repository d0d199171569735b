/**
 * JSON lines through pino, for Nest and everything else.
 *
 * What must never reach a log is not handed to it; the redaction is the second belt for what an error or a
 * library might carry along.
 */
export { createLogger, type Logger } from './create-logger';
export { NestLogger } from './nest-logger';
