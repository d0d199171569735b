import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { OutboxEntry } from './outbox.repository';

export const QUEUES = Symbol('queues');

/** What a worker is told: which outbox row to look at. */
export interface Hint {
  id: string;
}

/** Tells the workers, through BullMQ, that there is something to do. */
@Injectable()
export class Relay {
  private readonly queues: Map<string, Queue<Hint>>;

  constructor(@Inject(QUEUES) queues: Queue<Hint>[]) {
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
  }

  async handOver(entries: OutboxEntry[]): Promise<void> {
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
