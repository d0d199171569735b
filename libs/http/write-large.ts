import type { FastifyInstance } from 'fastify';
import { ConcurrencyLimit } from '#libs/limits';
import { writeJson } from './write-json';

/** Of large answers that are written out. */
const BOUNDS = { running: 2, waiting: 16 };
/** Writing takes the process's only thread: others have it so many times as long before the next. */
const RESTS = 4;

/** Answers that room was asked for are written out few at a time, and in pieces. */
export function writeLargeInTurns(fastify: FastifyInstance): void {
  const writing = new ConcurrencyLimit(BOUNDS);
  const write = (payload: unknown): Promise<Buffer> =>
    writing.run(async (rest) => {
      const { parts, ms } = await writeJson(payload);
      rest(RESTS * ms);
      return Buffer.concat(parts);
    });
  fastify.addHook('preSerialization', (request, reply, payload: unknown, done) => {
    if (!request.answerInHand) {
      done(null, payload);
      return;
    }
    // It is in bytes already, which Fastify sends as they are.
    reply.serializer((written: unknown) => written as string);
    write(payload).then((bytes) => done(null, bytes), done);
  });
}
