import { Injectable } from '@nestjs/common';
import { OutboxRepository } from './outbox.repository';
import { Periodic } from './periodic';
import { Relay } from './relay';

const KEEP_DAYS = 7;

/** Hands over again what the workers have not done: the queue may forget, the outbox does not. */
@Injectable()
export class Sweeper extends Periodic {
  protected override readonly everyMs = 10_000;

  constructor(
    private readonly entries: OutboxRepository,
    private readonly relay: Relay,
  ) {
    super();
  }

  /** One sweep: everything that is due and in nobody's hands. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (;;) {
      const due = await this.entries.takeDue();
      if (due.length === 0) return swept;
      await this.relay.handOver(due);
      swept += due.length;
    }
  }

  protected override async work(): Promise<void> {
    await this.sweep();
    await this.entries.prune(KEEP_DAYS);
  }
}
