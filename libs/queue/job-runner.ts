import { Injectable, Logger } from '@nestjs/common';
import { Sealer } from '#libs/crypto';
import { inLanguage } from '#libs/language';
import type { JobDefinition } from './job';
import { OutboxRepository } from './outbox.repository';

export interface JobContext {
  /** The outbox row's id: the same each time the job runs, so a handler can tell a repetition. */
  id: string;
  attempt: number;
}
export type Handler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

/** Runs one outbox row: claims it, calls the handler, writes down how it went. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);

  constructor(
    private readonly entries: OutboxRepository,
    private readonly sealer: Sealer,
  ) {}

  async run<Payload>(id: string, job: JobDefinition<Payload>, handler: Handler<Payload>): Promise<void> {
    const entry = await this.entries.claim(id, job);
    if (!entry) return;
    if (entry.attempts > job.attempts) {
      // Nobody wrote down how the last attempt went: this job takes its workers down.
      const reason = 'The worker ended during each attempt.';
      this.logger.error({ msg: 'Job failed for good', reason, job: job.name, id });
      return this.entries.fail(entry, reason);
    }
    try {
      const text = job.sealed ? this.sealer.open(entry.payload) : entry.payload;
      const payload = JSON.parse(text) as Payload;
      await inLanguage(entry.language, () => handler(payload, { id: entry.id, attempt: entry.attempts }));
      await this.entries.done(entry);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (entry.attempts >= job.attempts || job.isFinal(error)) {
        this.logger.error({
          msg: 'Job failed for good',
          err: error,
          job: job.name,
          id,
          attempts: entry.attempts,
        });
        await this.entries.fail(entry, reason);
      } else {
        this.logger.warn({
          msg: 'Job will be tried again',
          err: error,
          job: job.name,
          id,
          attempts: entry.attempts,
        });
        await this.entries.retry(entry, job.delay(entry.attempts), reason);
      }
    }
  }
}
