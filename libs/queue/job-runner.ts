import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Sealer } from '#libs/crypto';
import { throughout, unlessAbandoned } from '#libs/deadline';
import { inLanguage } from '#libs/language';
import type { JobDefinition } from './job';
import { type ClaimedEntry, OutboxRepository } from './outbox.repository';

export interface JobContext {
  /** The outbox row's id: the same each time the job runs, so a handler can tell a repetition. */
  id: string;
  attempt: number;
  /** Aborted when the process ends: what goes on all the same may be done once more elsewhere. */
  signal: AbortSignal;
}
export type Handler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

/** What a job may still take once the process is told to end. */
const LAST_MS = 1000;

/** Runs one outbox row: claims it, calls the handler, writes down how it went. */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobRunner.name);
  private readonly ending = new AbortController();

  constructor(
    private readonly entries: OutboxRepository,
    private readonly sealer: Sealer,
  ) {}

  /** Jobs that take longer are given back; another worker takes them. */
  beforeApplicationShutdown(): void {
    setTimeout(() => this.ending.abort(), LAST_MS).unref();
  }

  async run<Payload>(id: string, job: JobDefinition<Payload>, handler: Handler<Payload>): Promise<void> {
    const { signal } = this.ending;
    if (signal.aborted) return;
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
      const context = { id: entry.id, attempt: entry.attempts, signal };
      await throughout(signal, () =>
        unlessAbandoned(inLanguage(entry.language, () => handler(payload, context))),
      );
      await this.entries.done(entry);
    } catch (error) {
      if (signal.aborted) return this.giveBack(entry);
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

  private async giveBack(entry: ClaimedEntry): Promise<void> {
    this.logger.log({ msg: 'Job given back: the process ends', job: entry.job, id: entry.id });
    await this.entries.giveBack(entry);
  }
}
