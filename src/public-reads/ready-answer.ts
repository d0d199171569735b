import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { ifWanted } from '#libs/deadline';

const WORTH_COMPRESSING = 1024;
const compressed = promisify(gzip);
/** Characters that are written out before others have their turn, in a millisecond or two. */
const AT_ONCE = 256 * 1024;

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
    { bytes, digest, ms }: Written,
    /** What the header `X-Warning` says of it. */
    readonly warning?: ReturnType<FastifyReply['getHeader']>,
  ) {
    this.platformId = platformIn(body);
    this.plain = bytes;
    this.writtenMs = ms;
    // Weak: the same tag stands for the compressed and the plain answer.
    this.etag = `W/"${digest.slice(0, 22)}"`;
  }

  static async of(body: unknown, warning?: ReturnType<FastifyReply['getHeader']>): Promise<ReadyAnswer> {
    return new ReadyAnswer(body, await write(body), warning);
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

interface Written {
  bytes: Buffer;
  digest: string;
  ms: number;
}

/** As JSON. Others have their turns within a long one. */
async function write(body: unknown): Promise<Written> {
  const parts: Buffer[] = [];
  const hash = createHash('sha1');
  let text = '';
  let ms = 0;
  let begun = performance.now();
  const flush = (): void => {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
    text = '';
    ms += performance.now() - begun;
  };
  for (const piece of pieces(body)) {
    text += piece;
    if (text.length < AT_ONCE) continue;
    flush();
    await turn();
    ifWanted();
    begun = performance.now();
  }
  flush();
  return { bytes: Buffer.concat(parts), digest: hash.digest('base64url'), ms };
}

/** The JSON of a presented answer, a list in it by its items. */
function* pieces(body: unknown): Generator<string> {
  if (Array.isArray(body)) {
    yield* items(body);
  } else if (typeof body === 'object' && body !== null) {
    let before = '{';
    for (const [key, value] of Object.entries(body)) {
      if (value === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      if (Array.isArray(value)) yield* items(value);
      else yield JSON.stringify(value);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(body);
  }
}

function* items(list: unknown[]): Generator<string> {
  yield '[';
  for (const [index, item] of list.entries()) {
    yield index === 0 ? '' : ',';
    yield JSON.stringify(item) ?? 'null';
  }
  yield ']';
}

const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((entry) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(entry));

function platformIn(body: unknown): number | undefined {
  const { PlatformId } = (body ?? {}) as { PlatformId?: unknown };
  return typeof PlatformId === 'number' ? PlatformId : undefined;
}
