import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Tells the client of something that is accepted but probably not meant. */
export type Warn = (code: string) => void;

/** Hands a handler the way to add the header `X-Warning` to its answer. */
export const Warning = createParamDecorator((_: unknown, context: ExecutionContext): Warn => {
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return (code) => void reply.header('x-warning', code);
});
