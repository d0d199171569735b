import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { writeJson, type WrittenJson } from '#libs/http';

const WORTH_COMPRESSING = 1024;
const compressed = promisify(gzip);

/** The body of an answer as it goes out, with the tag that names this state of it. */
export class ReadyAnswer {
  readonly etag: string;
  /** The platform that the answer names. */
  readonly platformId?: number;
  /** How long the process was busy with writing it out. */
  readonly writtenMs: number;
  private readonly plain: Buffer;
  /** Made for the first who accepts it. */
  private gzipped?: Promise<Buffer>;

  private constructor(
    body: unknown,
    { parts, ms }: WrittenJson,
    /** What the header `X-Warning` says of it. */
    readonly warning?: ReturnType<FastifyReply['getHeader']>,
  ) {
    this.platformId = platformIn(body);
    this.plain = Buffer.concat(parts);
    this.writtenMs = ms;
    const digest = createHash('sha1').update(this.plain).digest('base64url');
    // Weak: the same tag stands for the compressed and the plain answer.
    this.etag = `W/"${digest.slice(0, 22)}"`;
  }

  static async of(body: unknown, warning?: ReturnType<FastifyReply['getHeader']>): Promise<ReadyAnswer> {
    return new ReadyAnswer(body, await writeJson(body), warning);
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
