import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Sealer } from '#libs/crypto';
import { throughout, unlessAbandoned } from '#libs/deadline';
import { inLanguage } from '#libs/language';
import type { JobDefinition } from './job';
import { type ClaimedEntry, OutboxRepository } from './outbox.repository';
import { Relay } from './relay';

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
    private readonly relay: Relay,
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
    // Nobody wrote down how the first attempt went: one of the parts may take its workers down.
    if (entry.attempts > 1 && (await this.divide(entry, job))) return;
    if (entry.attempts > job.attempts) {
      // Nobody wrote down how the last attempt went: this job takes its workers down.
      const reason = 'The worker ended during each attempt.';
      this.logger.error({ msg: 'Job failed for good', reason, job: job.name, id });
      return this.entries.fail(entry, reason);
    }
    try {
      const payload = this.payloadOf(entry, job);
      const context = { id: entry.id, attempt: entry.attempts, signal };
      await throughout(signal, () =>
        unlessAbandoned(inLanguage(entry.language, () => handler(payload, context))),
      );
      await this.entries.done(entry);
    } catch (error) {
      if (signal.aborted) return this.giveBack(entry);
      if (await this.divide(entry, job)) {
        return this.logger.warn({
          msg: 'Each part of the job will be tried alone',
          err: error,
          job: job.name,
          id,
        });
      }
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

  private payloadOf<Payload>({ payload }: ClaimedEntry, job: JobDefinition<Payload>): Payload {
    return JSON.parse(job.sealed ? this.sealer.open(payload) : payload) as Payload;
  }

  /** What fails in a list holds up none of the others in it. @returns whether there was anything to divide */
  private async divide(entry: ClaimedEntry, job: JobDefinition): Promise<boolean> {
    const parts = job.bulk ? (this.payloadOf(entry, job) as unknown[]) : [];
    if (parts.length < 2) return false;
    const texts = parts.map((part) => JSON.stringify([part]));
    const stored = job.sealed ? texts.map((text) => this.sealer.seal(text)) : texts;
    await this.relay.hint(...(await this.entries.divide(entry, stored)));
    return true;
  }

  private async giveBack(entry: ClaimedEntry): Promise<void> {
    this.logger.log({ msg: 'Job given back: the process ends', job: entry.job, id: entry.id });
    await this.entries.giveBack(entry);
  }
}
