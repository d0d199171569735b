import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

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
      .then(() => this.work())
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'It failed this time and will be repeated', err: error }),
      );
  }
}
