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

function orReason<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error);
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
