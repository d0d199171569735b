import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const WORTH_COMPRESSING = 1024;
const compressed = promisify(gzip);

/** The body of an answer as it goes out, with the tag that names this state of it. */
export class KeptAnswer {
  readonly etag: string;
  private readonly plain: Buffer;
  /** Made for the first who accepts it. */
  private gzipped?: Promise<Buffer>;

  constructor(body: unknown) {
    this.plain = Buffer.from(JSON.stringify(body));
    // Weak: the same tag stands for the compressed and the plain answer.
    this.etag = `W/"${hash('sha1', this.plain, 'base64url').slice(0, 22)}"`;
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
