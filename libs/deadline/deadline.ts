import { AsyncLocalStorage } from 'node:async_hooks';
import { UnavailableError } from '#libs/errors';

const storage = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs `work`, which nobody wants any more once the signal is aborted. Its reason is what abandoned work throws. */
export const throughout = <Result>(signal: AbortSignal, work: () => Result): Result =>
  storage.run(signal, work);

/** Runs `work` whatever becomes of the request that it comes from. */
export const withoutDeadline = <Result>(work: () => Result): Result => storage.run(undefined, work);

/** @throws the reason why nobody wants what is about to begin */
export function ifWanted(): void {
  storage.getStore()?.throwIfAborted();
}

/** What `waiting` comes to, unless nobody wants it any more before: then it is left to itself. */
export function unlessAbandoned<Result>(waiting: Promise<Result>): Promise<Result> {
  const signal = storage.getStore();
  return signal ? orReason(waiting, signal) : waiting;
}

/**
 * What `work` comes to, with a deadline of its own: for what several wait for, none of whom may end it for the others.
 * @throws UnavailableError when it takes longer
 */
export async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new UnavailableError()), ms).unref();
  try {
    return await orReason(throughout(controller.signal, work), controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Work that several wait for, with a deadline of its own: none of them may end it for the others, and it is left to
 * itself once none of them wants it any more.
 */
export class SharedWork<Result> {
  private readonly controller = new AbortController();
  private readonly result: Promise<Result>;
  private takers = 0;

  constructor(ms: number, work: () => Promise<Result>) {
    const { signal } = this.controller;
    this.result = within(ms, () => {
      const late = storage.getStore();
      return throughout(late ? AbortSignal.any([late, signal]) : signal, work);
    });
    // Nobody may be left to hear of it.
    this.result.catch(() => undefined);
  }

  /** Whoever comes now would wait for nothing. */
  get isAbandoned(): boolean {
    return this.controller.signal.aborted;
  }

  /** @throws UnavailableError when it takes longer */
  async take(): Promise<Result> {
    this.takers++;
    try {
      return await unlessAbandoned(this.result);
    } finally {
      if (--this.takers === 0) this.controller.abort(new UnavailableError());
    }
  }

  /** Once it is done, has failed or is abandoned. */
  onceDone(then: () => void): void {
    this.result.then(then, then);
  }
}

function orReason<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error);
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
