import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Settings } from '#libs/config';
import { Database, isSerializationFailure } from '#libs/database';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED, MadeRefusal, refusalOf, refusalBody } from '#libs/http';
import { StillAtWorkError } from './idempotency.errors';
import { type KeptAnswer, KeptAnswers } from './kept-answers';
import { type KeyedRequest, keyedRequest } from './keyed-request';

const WRITES = new Set(['POST', 'DELETE']);
/** Set by handlers; what routes say of themselves is on each of their answers anyway. */
const KEPT_HEADERS = ['content-type', 'location', 'x-warning', 'x-notification-id'];
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Another request with the key came first, and was answered while this one was getting ready. */
class AnsweredMeanwhile extends Error {
  constructor(readonly answer: KeptAnswer) {
    super('The request was answered already.');
  }
}

/**
 * Lets a signed-in caller repeat a write whose answer was lost: with the same `Idempotency-Key` it is done once, and
 * each time answered as the first time. The answer is kept in the transaction of the write.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** Those of this process; the claim on the key keeps out others. */
  private readonly atWork = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly answers: KeptAnswers,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { caller, headers, method } = request;
    if (headers[IDEMPOTENCY_KEY] === undefined || !caller || !WRITES.has(method)) return next.handle();
    const keyed = keyedRequest(request, caller, this.settings.ENCRYPTION_KEY);
    return from(this.once(keyed, request, http.getResponse<FastifyReply>(), next));
  }

  private async once(
    keyed: KeyedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<Buffer | undefined> {
    const name = keyed.id.toString('base64');
    if (this.atWork.has(name)) throw new StillAtWorkError();
    this.atWork.add(name);
    try {
      const answer = await this.answers.find(keyed);
      if (answer) return repeated(answer, reply);
      return await this.first(keyed, request, reply, next);
    } catch (error) {
      if (error instanceof AnsweredMeanwhile) return repeated(error.answer, reply);
      throw error;
    } finally {
      this.atWork.delete(name);
    }
  }

  private async first(
    keyed: KeyedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<Buffer | undefined> {
    const opening = async (): Promise<void> => {
      await this.answers.claim(keyed);
      const answer = await this.answers.find(keyed);
      if (answer) throw new AnsweredMeanwhile(answer);
    };
    const { answer, error } = await this.db.gathered(opening, async () => {
      const made = await madeBy(next, request, reply);
      await this.answers.keep(keyed, made.answer);
      return made;
    });
    if (error) throw error;
    return bytesOf(answer);
  }
}

/** What the handler answers, or refuses with `error`. Faults, and refusals to look at the request now, are thrown. */
async function madeBy(
  next: CallHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ answer: KeptAnswer; error?: unknown }> {
  try {
    const value: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
    const body = value == null ? null : typeof value === 'string' ? value : JSON.stringify(value);
    if (body !== null) reply.header('content-type', reply.getHeader('content-type') ?? typeOf(value));
    return { answer: { status: reply.statusCode, headers: headersOf(reply), body } };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || refusal.status >= 500 || refusal.status === 429) throw error;
    // It may be done the next time.
    if (isSerializationFailure(error) || isSerializationFailure(refusal.cause)) throw error;
    const body = JSON.stringify(refusalBody(refusal, request));
    return { answer: { status: refusal.status, headers: headersOf(reply), body }, error };
  }
}

function repeated(answer: KeptAnswer, reply: FastifyReply): Buffer | undefined {
  reply.headers(answer.headers).header(IDEMPOTENCY_REPLAYED, 'true');
  if (answer.status >= 400) throw new MadeRefusal(answer.status, answer.body ?? '');
  return bytesOf(answer);
}

const typeOf = (value: unknown): string => (typeof value === 'string' ? TEXT_TYPE : JSON_TYPE);

const bytesOf = ({ body }: KeptAnswer): Buffer | undefined => (body === null ? undefined : Buffer.from(body));

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
