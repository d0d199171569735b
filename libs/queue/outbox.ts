import { Injectable } from '@nestjs/common';
import { Sealer } from '#libs/crypto';
import { Database } from '#libs/database';
import { currentLanguage } from '#libs/language';
import type { JobDefinition } from './job';
import { type NewEntry, OutboxRepository } from './outbox.repository';
import { Relay } from './relay';

/** Where side effects wait for the commit of the use case that wants them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly db: Database,
    private readonly entries: OutboxRepository,
    private readonly relay: Relay,
    private readonly sealer: Sealer,
  ) {}

  /** Once the surrounding transaction commits, the job will run: at once, or when it is due. */
  async add<Payload>(
    job: JobDefinition<Payload>,
    payload: Payload,
    dueAt: Date | null = null,
  ): Promise<void> {
    const text = JSON.stringify(payload);
    const entry = await this.entries.insert(
      job.name,
      job.sealed ? this.sealer.seal(text) : text,
      dueAt,
      currentLanguage(),
    );
    if (!dueAt) this.db.afterCommit(() => this.relay.hint(entry));
  }

  /** As `add`, of many whose payloads are texts already, none of them sealed. */
  async addAll(entries: readonly NewEntry[]): Promise<void> {
    const added = await this.entries.insertAll(entries);
    if (added.length > 0) this.db.afterCommit(() => this.relay.hint(...added));
  }
}
