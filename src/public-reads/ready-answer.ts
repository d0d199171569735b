import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

const WORTH_COMPRESSING = 1024;
const compressed = promisify(gzip);

/** The body of an answer as it goes out, with the tag that names this state of it. */
export class ReadyAnswer {
  readonly etag: string;
  /** The platform that the answer names. */
  readonly platformId?: number;
  private readonly plain: Buffer;
  /** Made for the first who accepts it. */
  private gzipped?: Promise<Buffer>;

  private constructor(
    body: unknown,
    /** What the header `X-Warning` says of it. */
    readonly warning?: ReturnType<FastifyReply['getHeader']>,
  ) {
    this.platformId = platformIn(body);
    this.plain = Buffer.from(JSON.stringify(body));
    // Weak: the same tag stands for the compressed and the plain answer.
    this.etag = `W/"${hash('sha1', this.plain, 'base64url').slice(0, 22)}"`;
  }

  /** @param accepted as of `as`, for which it is made ready */
  static async of(
    body: unknown,
    accepted?: string,
    warning?: ReturnType<FastifyReply['getHeader']>,
  ): Promise<ReadyAnswer> {
    const answer = new ReadyAnswer(body, warning);
    await answer.as(accepted);
    return answer;
  }

  /** What it may take in memory, compressed form included. */
  get bytes(): number {
    return 2 * this.plain.length;
  }

  /** @param accepted the request's `Accept-Encoding` */
  async as(accepted: string | undefined): Promise<{ bytes: Buffer; encoding: 'gzip' | 'identity' }> {
    if (this.plain.length < WORTH_COMPRESSING || !acceptsGzip(accepted)) {
      return { bytes: this.plain, encoding: 'identity' };
    }
    return { bytes: await (this.gzipped ??= compressed(this.plain)), encoding: 'gzip' };
  }
}

const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((entry) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(entry));

function platformIn(body: unknown): number | undefined {
  const { PlatformId } = (body ?? {}) as { PlatformId?: unknown };
  return typeof PlatformId === 'number' ? PlatformId : undefined;
}
