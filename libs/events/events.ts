import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { currentLanguage } from '#libs/language';
import { DuringListeners } from './during';
import type { EventDefinition } from './event';
import { EventsRepository } from './events.repository';
import { jobsAfter } from './listener';
import { WakeUp } from './wake-up';

/** Wakes this process's relay. */
export class PublishedHere extends WakeUp {}

/** Where a domain tells what happened in it, to whoever listens. */
@Injectable()
export class Events {
  constructor(
    private readonly db: Database,
    private readonly events: EventsRepository,
    private readonly during: DuringListeners,
    private readonly published: PublishedHere,
  ) {}

  /**
   * Publishes an event, or several of a kind, in the surrounding transaction, or in one of its own: should that be
   * rolled back, nobody hears of it but the `during` listeners, whose work is rolled back as well.
   * @returns what each `during` listener answered
   */
  publish<Payload, Answer>(
    event: EventDefinition<Payload, Answer>,
    ...payloads: Payload[]
  ): Promise<Answer[]> {
    return this.db.transaction(async () => {
      const answers: Answer[] = [];
      for (const payload of payloads) {
        for (const listener of this.during.of(event)) answers.push((await listener(payload)) as Answer);
      }
      const texts = payloads.map((payload) => JSON.stringify(payload));
      await this.events.insert(texts, {
        name: event.name,
        jobs: jobsAfter(event),
        language: currentLanguage(),
      });
      this.db.afterCommit(() => this.published.now());
      return answers;
    });
  }
}
