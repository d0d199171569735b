import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutboxRepository } from './outbox.repository';
import { Relay } from './relay';

const EVERY_MS = 10_000;
const KEEP_DAYS = 7;

/** Hands over again what the workers have not done: the queue may forget, the outbox does not. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private timer?: NodeJS.Timeout;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly entries: OutboxRepository,
    private readonly relay: Relay,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), EVERY_MS);
    this.tick();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One sweep: everything that is due and in nobody's hands. */
  async sweep(): Promise<number> {
    const due = await this.entries.takeDue();
    await this.relay.handOver(due);
    return due.length;
  }

  private tick(): void {
    this.sweeping = this.sweeping
      .then(async () => {
        await this.sweep();
        await this.entries.prune(KEEP_DAYS);
      })
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'The sweep failed and will be repeated', err: error }),
      );
  }
}
