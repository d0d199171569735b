import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { within } from '#libs/deadline';
import type { OutboxEntry } from './outbox.repository';

export const QUEUES = Symbol('queues');

/** What a worker is told: which outbox row to look at. */
export interface Hint {
  id: string;
}

/** So many hints may wait for a queue that is away or silent; what else there is, the sweeper finds. */
const MOST_WAITING = 1000;
const TAKEN_WITHIN_MS = 5000;

/** Tells the workers, through BullMQ, that there is something to do. */
@Injectable()
export class Relay {
  private readonly logger = new Logger(Relay.name);
  private readonly queues: Map<string, Queue<Hint>>;
  private waiting = 0;

  constructor(@Inject(QUEUES) queues: Queue<Hint>[]) {
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
  }

  /** Tells of what has just been written. Should the hint be lost, the sweeper gives it again. */
  async hint(...entries: OutboxEntry[]): Promise<void> {
    if (this.full) return;
    await this.handOver(entries).catch((error: unknown) =>
      this.logger.debug({ msg: 'A hint is left to the sweeper', err: error }),
    );
  }

  /** @throws Error when the queue does not take them in time; it may still do so later */
  async handOver(entries: OutboxEntry[]): Promise<void> {
    if (this.full) throw new Error('The queue has not taken what it was told before.');
    this.waiting += entries.length;
    const taken = this.add(entries).finally(() => (this.waiting -= entries.length));
    await within(TAKEN_WITHIN_MS, () => taken);
  }

  private get full(): boolean {
    return this.waiting >= MOST_WAITING;
  }

  private async add(entries: OutboxEntry[]): Promise<void> {
    const byQueue = Map.groupBy(entries, ({ job }) => job.slice(0, job.indexOf('.')));
    for (const [name, own] of byQueue) {
      await this.queues.get(name)?.addBulk(
        own.map(({ id, job, attempts }) => ({
          name: job,
          data: { id },
          // The same hint given twice is one job; a new attempt is a new one.
          opts: { jobId: `${id}-${attempts}`, removeOnComplete: true, removeOnFail: true },
        })),
      );
    }
  }
}
