import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import type { JobDefinition } from './job';
import { JobProcessor } from './job-processor';
import { JOBS } from './queue.module';
import { Sweeper } from './sweeper';

/** Where `@Processor` keeps the name of its queue; the library does not export it. */
const PROCESSOR_METADATA = 'bullmq:processor_metadata';
const queueOf = (processor: JobProcessor): string =>
  (Reflect.getMetadata(PROCESSOR_METADATA, processor.constructor) as { name: string }).name;

/** A job that nobody handles, or two do, must stop the worker from starting, not be found in production. */
@Injectable()
class HandlerCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(JOBS) private readonly jobs: JobDefinition[],
  ) {}

  onModuleInit(): void {
    const processors = this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof JobProcessor);
    for (const job of this.jobs) {
      const count = processors.filter(({ handlers }) => handlers.has(job)).length;
      if (count !== 1) throw new Error(`The job "${job.name}" has ${count} handlers; it needs exactly one.`);
    }
    for (const processor of processors) this.checkProcessor(processor, processors);
  }

  /** A hint goes to any processor of its queue, which has to know the job. */
  private checkProcessor(processor: JobProcessor, all: JobProcessor[]): void {
    const queue = queueOf(processor);
    const count = all.filter((one) => queueOf(one) === queue).length;
    if (count !== 1) throw new Error(`The queue "${queue}" has ${count} processors; it needs exactly one.`);
    for (const job of processor.handlers.keys()) {
      if (!this.jobs.includes(job)) throw new Error(`The job "${job.name}" is handled but not declared.`);
      if (job.queue !== queue) {
        throw new Error(`The job "${job.name}" has its handler in the processor of the queue "${queue}".`);
      }
    }
  }
}

/** What a process needs to run jobs, besides the processors themselves. */
@Module({ imports: [DiscoveryModule], providers: [HandlerCheck, Sweeper], exports: [Sweeper] })
export class QueueWorkerModule {}
