import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { type Processor, type Queue, Worker, type WorkerOptions } from 'bullmq';
import { Sealer } from '#libs/crypto';
import type { QueueBackend } from './backend';
import type { JobDefinition } from './job';
import { JobRunner } from './job-runner';
import { Outbox } from './outbox';
import { OutboxRepository } from './outbox.repository';
import { QUEUES, Relay, type Hint } from './relay';

const logger = new Logger('Queue');

/** So long a worker waits before it asks a queue again that failed. */
const AGAIN_AFTER_MS = 2000;

export const QUEUE_BACKEND = Symbol('queue backend');
export const JOBS = Symbol('jobs');

interface QueueModuleOptions {
  /** Opened by the entry, and closed by it after the application. */
  backend: QueueBackend;
  /** Every job there is: their queues are opened, and the worker checks that each has a handler. */
  jobs: JobDefinition[];
  sealer: Sealer;
}

@Global()
@Module({})
export class QueueModule {
  static forRoot({ backend, ...options }: QueueModuleOptions): DynamicModule {
    BullModule.workerClass = class extends Worker {
      constructor(name: string, processor: Processor, own: WorkerOptions) {
        super(name, processor, { ...own, drainDelay: backend.drainDelay, runRetryDelay: AGAIN_AFTER_MS });
        // It tries again by itself.
        this.on('error', (error) => logger.warn({ msg: 'The queue is away', err: error, queue: name }));
      }

      /** BullMQ waits only where the connection is refused; whatever else a queue answers, it asks at once again. */
      protected override async moveToActive(
        ...parameters: Parameters<Worker['moveToActive']>
      ): ReturnType<Worker['moveToActive']> {
        try {
          return await super.moveToActive(...parameters);
        } catch (error) {
          if (!this.closing) await this.delay();
          throw error;
        }
      }

      override delay(...[ms = AGAIN_AFTER_MS, abort]: Parameters<Worker['delay']>): Promise<void> {
        return super.delay(ms, abort);
      }

      /** A queue that is away is not waited for: what its jobs were, the outbox knows. */
      override async close(force = false): Promise<void> {
        const reachable = await backend.ping().then(
          () => true,
          () => false,
        );
        const closed = super.close(force || !reachable);
        if (reachable) await closed;
        else closed.catch(() => undefined);
      }
    };
    const names = [...new Set(options.jobs.map(({ queue }) => queue))];
    const queues = BullModule.registerQueue(...names.map((name) => ({ name })));
    return {
      module: QueueModule,
      imports: [BullModule.forRoot({ connection: backend.connection, prefix: backend.prefix }), queues],
      providers: [
        { provide: QUEUE_BACKEND, useValue: backend },
        { provide: JOBS, useValue: options.jobs },
        { provide: Sealer, useValue: options.sealer },
        {
          provide: QUEUES,
          useFactory: (...opened: Queue<Hint>[]) => {
            // Without a listener an unreachable queue would end the process; the sweeper makes up for it.
            for (const queue of opened) queue.on('error', () => undefined);
            return opened;
          },
          inject: names.map((name) => getQueueToken(name)),
        },
        OutboxRepository,
        Relay,
        Outbox,
        JobRunner,
      ],
      exports: [QUEUE_BACKEND, JOBS, QUEUES, Sealer, Outbox, OutboxRepository, Relay, JobRunner, queues],
    };
  }
}
