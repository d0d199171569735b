import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const WORTH_COMPRESSING = 1024;
const compressed = promisify(gzip);

/** The body of an answer as it goes out, with the tag that names this state of it. */
export class KeptAnswer {
  private constructor(
    readonly etag: string,
    private readonly plain: Buffer,
    private readonly gzipped: Buffer | null,
  ) {}

  static async of(body: unknown): Promise<KeptAnswer> {
    const plain = Buffer.from(JSON.stringify(body));
    // Weak: the same tag stands for the compressed and the plain answer.
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return new KeptAnswer(etag, plain, plain.length < WORTH_COMPRESSING ? null : await compressed(plain));
  }

  get bytes(): number {
    return this.plain.length + (this.gzipped?.length ?? 0);
  }

  /** @param accepted the request's `Accept-Encoding` */
  as(accepted: string | undefined): { bytes: Buffer; encoding: 'gzip' | 'identity' } {
    return this.gzipped && acceptsGzip(accepted)
      ? { bytes: this.gzipped, encoding: 'gzip' }
      : { bytes: this.plain, encoding: 'identity' };
  }
}

const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((entry) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(entry));
