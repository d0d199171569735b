import { Injectable } from '@nestjs/common';
import type { NumberedEvent } from './event';
import { EventsRepository } from './events.repository';
import { Notifications } from './notifications';
import { Waiting } from './wake-up';

const MOST_AT_ONCE = 500;

/** The events that follow are no longer kept. */
export class ForgottenEventsError extends Error {
  override readonly name = 'ForgottenEventsError';

  constructor(number: number) {
    super(`What followed event ${number} is forgotten.`);
  }
}

/** The numbered events in their order, for what goes on in this process, such as a live stream. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly events: EventsRepository,
    private readonly notifications: Notifications,
  ) {}

  /** The number of the last event: to begin with what comes from now on. */
  last(): Promise<number> {
    return this.events.last();
  }

  /**
   * All events after that number, each once and in their order, until the signal is aborted. For one consumer of a
   * kind in a process, which hands them on to all who wait: each asks the database.
   * @throws ForgottenEventsError when what follows is older than what is kept
   */
  async *after(number: number, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
    const release = this.notifications.use();
    const waiting = new Waiting(this.notifications);
    try {
      const end = await this.events.last();
      for (let last = number; !signal.aborted;) {
        waiting.begin();
        const found = await this.events.after(last, MOST_AT_ONCE);
        if (found.length === 0 && end > last) throw new ForgottenEventsError(last);
        for (const event of found) {
          if (event.number !== last + 1) throw new ForgottenEventsError(last);
          last = event.number;
          yield event;
          if (signal.aborted) return;
        }
        if (found.length < MOST_AT_ONCE) await waiting.wait(this.notifications.pollMs, signal);
      }
    } finally {
      waiting.end();
      release();
    }
  }
}
