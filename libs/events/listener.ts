import { declaredJobs, defineJob, type JobDefinition, type JobOptions } from '#libs/queue';
import type { EventDefinition, NumberedEvent } from './event';

/** One of a listener's events. */
export type Heard<Payload> = Pick<NumberedEvent<Payload>, 'number' | 'payload'>;

/** A job that runs after an event: for many that come at once, it runs once. */
export interface Listener<Payload = unknown> extends JobDefinition<Heard<Payload>[]> {
  readonly event: string;
}

/**
 * Declares what is done after an event, once it is durable: a job like others, in the `<domain>.queue.ts` of the
 * domain that listens, with its handler in the processor of its queue. It is given the events in a list, each at
 * least once and in no order; when it fails for a list, each of them is tried alone.
 */
export function defineListener<Payload>(
  event: EventDefinition<Payload>,
  name: `${string}.${string}`,
  options: JobOptions = {},
): Listener<Payload> {
  return Object.assign(defineJob<Heard<Payload>[]>(name, { ...options, bulk: true }), { event: event.name });
}

/** The names of the jobs that run after the event. */
export const jobsAfter = ({ name }: EventDefinition): string[] =>
  declaredJobs().flatMap((job) => ('event' in job && job.event === name ? [job.name] : []));
