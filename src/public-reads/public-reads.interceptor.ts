import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { Settings } from '#libs/config';
import { PublicReads } from './public-reads';

/** Answers anonymous readers from what is kept; whoever sends a token is answered from the database. */
@Injectable()
export class PublicReadsInterceptor implements NestInterceptor {
  private readonly vary: string;

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
    return request.credential ? next.handle() : from(this.answer(request, reply, next));
  }

  private async answer(request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<Buffer> {
    reply.header('cache-control', 'no-cache');
    const read = (): Promise<unknown> => firstValueFrom(next.handle());
    const answer = await this.reads.answer(request.url, namedPlatform(request), read);
    const { bytes, encoding } = await answer.as(request.headers['accept-encoding']);
    reply.headers({ etag: answer.etag, 'content-type': 'application/json; charset=utf-8' });
    if (encoding === 'gzip') reply.header('content-encoding', encoding);
    return bytes;
  }
}

/** A platform that no request can mean is left to the handler to refuse. */
function namedPlatform({ params, query }: FastifyRequest): number | null {
  const { PlatformId } = { ...(query as object), ...(params as object) } as { PlatformId?: unknown };
  return typeof PlatformId === 'string' && /^[1-9]\d{0,8}$/.test(PlatformId) ? Number(PlatformId) : null;
}
