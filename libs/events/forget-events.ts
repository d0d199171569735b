import { Injectable } from '@nestjs/common';
import { Periodic } from '#libs/queue';
import { EventsRepository } from './events.repository';

/** Forgets numbered events a day after the day on which they happened, all of it at once. */
@Injectable()
export class ForgetEvents extends Periodic {
  protected override readonly everyMs = 10 * 60_000;

  constructor(private readonly events: EventsRepository) {
    super();
  }

  protected override async work(): Promise<void> {
    await this.events.dropOld();
  }
}
