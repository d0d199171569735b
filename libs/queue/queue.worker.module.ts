import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import type { JobDefinition } from './job';
import { JobProcessor } from './job-processor';
import { JOBS } from './queue.module';
import { Sweeper } from './sweeper';

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
  }
}

/** What a process needs to run jobs, besides the processors themselves. */
@Module({ imports: [DiscoveryModule], providers: [HandlerCheck, Sweeper], exports: [Sweeper] })
export class QueueWorkerModule {}
