import type { INestApplicationContext } from '@nestjs/common';
import type { Entrance } from '#libs/http';
import type { Logger } from '#libs/logging';

const MOST_MS = 9_800;
/** Of which so many are left for the rest once the last answer is made, or cut off. */
const REST_MS = 1_800;
/** So long requests have after the delay, however long that is. */
const REQUESTS_MS = 3_000;

/** What there is of the process so far. */
export interface Running {
  app?: INestApplicationContext;
  logger?: Logger;
  close?: () => Promise<void>;
  /** Of an API, and how long it serves on. */
  entrance?: Entrance;
  delayMs?: number;
}

/**
 * Ends the process in order on SIGTERM or SIGINT: readiness goes, requests are served until load balancers know,
 * those in flight finish, workers close, then queue and database. It takes ten seconds at most, unless the delay
 * for the load balancers is longer; a second signal changes nothing.
 */
export function endOnSignal(running: Running): void {
  const { entrance, delayMs = 0 } = running;
  const mostMs = Math.max(MOST_MS, delayMs + REQUESTS_MS + REST_MS);
  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    const { app, logger, close } = running;
    logger?.info(`${signal}: shutting down`);
    setTimeout(() => process.exit(1), mostMs).unref();
    try {
      await entrance?.drain(app ? delayMs : 0, mostMs - REST_MS);
      await app?.close();
      await close?.();
      process.exitCode = 0;
    } catch (error) {
      logger?.error({ err: error }, 'Shutting down failed');
      process.exitCode = 1;
    }
    if (logger) logger.flush(() => process.exit());
    else process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}
