import { UnavailableError } from '#libs/errors';
import { throughout, unlessAbandoned } from './deadline';

/**
 * What many ask for at once, under one key, is done once for all of them, with a deadline of its own: none of them may
 * end it for the others. Once none of them wants it any more it is left.
 */
export class Together<Key, Result> {
  private readonly underway = new Map<Key, Shared<Result>>();

  /** @param ms after which whoever waits is told that it is unavailable */
  constructor(private readonly ms: number) {}

  /** @throws UnavailableError when it takes longer, or the reason why the one who asks wants it no more */
  run(key: Key, work: () => Promise<Result>): Promise<Result> {
    const started = this.underway.get(key);
    if (started && !started.isAbandoned) return started.take();
    const shared = new Shared(this.ms, work, () => {
      if (this.underway.get(key) === shared) this.underway.delete(key);
    });
    this.underway.set(key, shared);
    return shared.take();
  }
}

class Shared<Result> {
  private readonly controller = new AbortController();
  private readonly result: Promise<Result>;
  private takers = 0;

  constructor(ms: number, work: () => Promise<Result>, onDone: () => void) {
    const late = setTimeout(() => this.abandon(), ms).unref();
    const done = (): void => {
      clearTimeout(late);
      onDone();
    };
    this.result = throughout(this.controller.signal, async () => unlessAbandoned(work()));
    // Nobody may be left to hear of its failure.
    this.result.then(done, done);
  }

  /** Whoever comes now would wait for nothing. */
  get isAbandoned(): boolean {
    return this.controller.signal.aborted;
  }

  async take(): Promise<Result> {
    this.takers++;
    try {
      return await unlessAbandoned(this.result);
    } finally {
      if (--this.takers === 0) this.abandon();
    }
  }

  private abandon(): void {
    this.controller.abort(new UnavailableError());
  }
}
