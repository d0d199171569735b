import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Tinypool } from 'tinypool';
import { UnavailableError, ValidationError } from '#libs/errors';
import { ConcurrencyLimit } from '#libs/limits';
import { ARTICLE_BYTES, type Marked, sanitizeArticle } from './html';

/** In characters; the worst of this length takes a few hundredths of a second. */
const SHORT = 16 * 1024;
const BOUNDS = { running: 2, waiting: 16 };
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
const MEMORY_MB = 128;

/**
 * Sanitises articles and descriptions. A long one can take longer than all other requests should wait for it, so
 * that is done in threads, which start with the first that comes and end when none has come for a while.
 */
@Injectable()
export class Markup implements OnApplicationShutdown {
  private threads: Tinypool | null = null;
  private readonly long = new ConcurrencyLimit(BOUNDS);

  /**
   * @param field what the request calls it
   * @throws ValidationError when it is too long once it is sanitised
   * @throws UnavailableError when too many wait already, or when it takes too long
   */
  async article(html: string, field = 'description'): Promise<Marked> {
    const marked =
      html.length <= SHORT ? sanitizeArticle(html) : await this.long.run(() => this.inThread(html));
    if (!marked)
      throw ValidationError.of(field, `must be at most ${ARTICLE_BYTES} bytes once it is sanitised`);
    return marked;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads?.destroy();
    this.threads = null;
  }

  private async inThread(html: string): Promise<Marked | null> {
    this.threads ??= new Tinypool({
      filename: join(__dirname, 'article.thread.js'),
      minThreads: 0,
      maxThreads: BOUNDS.running,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    try {
      return (await this.threads.run(html, { signal: AbortSignal.timeout(DEADLINE_MS) })) as Marked | null;
    } catch (cause) {
      throw new UnavailableError({ cause });
    }
  }
}
