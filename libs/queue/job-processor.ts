import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { JobDefinition } from './job';
import type { Handler, JobRunner } from './job-runner';
import type { Hint } from './relay';

/** Each job of the queue with its one handler. */
export type Handlers = ReadonlyMap<JobDefinition, Handler<never>>;

/** An entry of `handlers`, with the handler's payload checked against the job's. */
export const handle = <Payload>(
  job: JobDefinition<Payload>,
  handler: Handler<Payload>,
): [JobDefinition, Handler<never>] => [job, handler as Handler<never>];

/**
 * The base of every `@Processor(queue)`: it receives the hints of its queue and has them run.
 *
 *     @Processor('mail')
 *     export class MailProcessor extends JobProcessor {
 *       readonly handlers = new Map([handle(SEND_MAIL, (mail) => this.transport.send(mail))]);
 *     }
 */
export abstract class JobProcessor extends WorkerHost {
  abstract readonly handlers: Handlers;

  constructor(private readonly runner: JobRunner) {
    super();
  }

  async process({ name, data }: Job<Hint>): Promise<void> {
    for (const [job, handler] of this.handlers) {
      if (job.name === name) await this.runner.run(data.id, job, handler as Handler<unknown>);
    }
  }
}
