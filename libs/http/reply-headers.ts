import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { currentRequest } from './request-context';

/** Tells the client of something that is accepted but probably not meant. */
export type Warn = (code: string) => void;

/** Hands a handler the way to add the header `X-Warning` to its answer. */
export const Warning = createParamDecorator((_: unknown, context: ExecutionContext): Warn => {
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return (code) => addWarning(reply, code);
});

/** As `Warning`, wherever the request's work is done; work outside of one warns nobody. */
export const warn: Warn = (code) => {
  const reply = currentRequest()?.reply;
  if (reply) addWarning(reply, code);
};

/** Several are separated by commas, and none is there twice. */
function addWarning(reply: FastifyReply, code: string): void {
  const before = String(reply.getHeader('x-warning') ?? '');
  const codes = new Set([...before.split(', ').filter(Boolean), code]);
  reply.header('x-warning', [...codes].join(', '));
}
