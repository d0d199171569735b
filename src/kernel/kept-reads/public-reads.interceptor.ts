import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { Settings } from '#libs/config';
import { ConcurrencyLimit } from '#libs/limits';
import { PublicReads } from './public-reads';
import { ReadyAnswer } from './ready-answer';

export const LARGE = 'large answers';
/** Of large answers in the making, so that they find room in memory. */
const BOUNDS = { running: 2, waiting: 16 };
/** To write one out takes the process's only thread: others have it so many times as long before the next. */
const RESTS = 4;
const WORTH_A_REST_MS = 5;

/** Answers anonymous readers from what is kept; whoever sends a token is answered from the database. */
@Injectable()
export class PublicReadsInterceptor implements NestInterceptor {
  private readonly vary: string;
  private readonly largeAnswers = new ConcurrencyLimit(BOUNDS);

  constructor(
    private readonly reads: PublicReads,
    { TOKEN_HEADER_NAME }: Settings,
  ) {
    this.vary = `Authorization, Cookie, ${TOKEN_HEADER_NAME}, Accept-Encoding`;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    reply.header('vary', [reply.getHeader('vary'), this.vary].filter(Boolean).join(', '));
    const large = Reflect.getMetadata(LARGE, context.getHandler()) === true;
    if (request.credential && !large) return next.handle();
    const accepted = request.headers['accept-encoding'];
    const make = async (rest?: (ms: number) => void): Promise<ReadyAnswer> => {
      const answer = await ReadyAnswer.of(await firstValueFrom(next.handle()), reply.getHeader('x-warning'));
      if (answer.writtenMs > WORTH_A_REST_MS) rest?.(RESTS * answer.writtenMs);
      await answer.as(accepted);
      return answer;
    };
    return from(this.answer(request, reply, large ? () => this.largeAnswers.run(make) : make));
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<ReadyAnswer>,
  ): Promise<Buffer> {
    const answer = request.credential ? await make() : await this.kept(request, reply, make);
    const { bytes, encoding } = await answer.as(request.headers['accept-encoding']);
    if (answer.warning !== undefined) reply.header('x-warning', answer.warning);
    reply.header('content-type', 'application/json; charset=utf-8');
    if (encoding === 'gzip') reply.header('content-encoding', encoding);
    return bytes;
  }

  private async kept(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<ReadyAnswer>,
  ): Promise<ReadyAnswer> {
    reply.header('cache-control', 'no-cache');
    const answer = await this.reads.answer(request.url, namedPlatform(request), make);
    reply.header('etag', answer.etag);
    return answer;
  }
}

/** A platform that no request can mean is left to the handler to refuse. */
function namedPlatform({ params, query }: FastifyRequest): number | null {
  const { PlatformId } = { ...(query as object), ...(params as object) } as { PlatformId?: unknown };
  return typeof PlatformId === 'string' && /^[1-9]\d{0,8}$/.test(PlatformId) ? Number(PlatformId) : null;
}
