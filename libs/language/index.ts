import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The languages that the person at the other end reads, as their `Accept-Language` said. It is kept for the
 * length of a request, and goes along with the jobs that the request causes, so that a mail that is written
 * later is written in the same language.
 */
const storage = new AsyncLocalStorage<string | null>();

export const currentLanguage = (): string | null => storage.getStore() ?? null;

export const inLanguage = <Result>(language: string | null, work: () => Result): Result =>
  storage.run(language, work);
