import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from '#libs/logging';

const MOST_MS = 10_000;

interface Running {
  app: INestApplicationContext;
  logger: Logger;
  close: () => Promise<void>;
}

/**
 * Ends the process in order on SIGTERM or SIGINT: no new requests, those in flight finish, workers close, then
 * queue and database. It takes ten seconds at most; a second signal changes nothing.
 */
export function endOnSignal({ app, logger, close }: Running): void {
  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    logger.info(`${signal}: shutting down`);
    setTimeout(() => process.exit(1), MOST_MS).unref();
    try {
      await app.close();
      await close();
      process.exitCode = 0;
    } catch (error) {
      logger.error({ err: error }, 'Shutting down failed');
      process.exitCode = 1;
    }
    logger.flush(() => process.exit());
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}
