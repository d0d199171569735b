import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { within } from '#libs/deadline';

/** What hangs, as on a queue that is silent, must not be the last of its kind, and must not hold up the end. */
const DEADLINE_MS = 8000;

/** The base of what a worker does at its start and then every so often; what fails is done again the next time. */
export abstract class Periodic implements OnApplicationBootstrap, OnApplicationShutdown {
  protected abstract readonly everyMs: number;
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  private working: Promise<void> = Promise.resolve();

  /** Must bear that other workers do it at the same time. */
  protected abstract work(): Promise<void>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), this.everyMs);
    this.tick();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  private tick(): void {
    this.working = this.working
      .then(() => within(DEADLINE_MS, () => this.work()))
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'It failed this time and will be repeated', err: error }),
      );
  }
}
