export interface JobDefinition<Payload = unknown> {
  /** `<queue>.<verb>`, unique. */
  readonly name: string;
  readonly queue: string;
  /** How often it is tried before it counts as failed. */
  readonly attempts: number;
  /** Seconds to wait after the given attempt, counted from 1. */
  readonly delay: (attempt: number) => number;
  /** Whether trying again cannot help after this error. */
  readonly isFinal: (error: unknown) => boolean;
  /** Seconds after which a worker that took the job and fell silent is taken for dead. */
  readonly leaseSeconds: number;
  /** Whether the payload is encrypted while it waits. */
  readonly sealed: boolean;
  /** Whether the payload is a list, each part of which is tried as a job of its own when the whole failed. */
  readonly bulk: boolean;
  /** Never set: it carries the payload's type. */
  readonly payload?: Payload;
}

export type JobOptions = Partial<Omit<JobDefinition, 'name' | 'queue' | 'payload'>>;

const declared = new Map<string, JobDefinition>();

/** Every job that the files which are loaded declare. */
export const declaredJobs = (): JobDefinition[] => [...declared.values()];

/** @throws Error when there is one of this name */
export function defineJob<Payload>(
  name: `${string}.${string}`,
  options: JobOptions = {},
): JobDefinition<Payload> {
  if (declared.has(name)) throw new Error(`The job "${name}" is declared twice.`);
  const job: JobDefinition<Payload> = {
    name,
    queue: name.slice(0, name.indexOf('.')),
    attempts: 10,
    delay: retryEvery(5, 600),
    isFinal: () => false,
    leaseSeconds: 60,
    sealed: false,
    bulk: false,
    ...options,
  };
  declared.set(name, job);
  return job;
}

/** Doubles from `first` seconds up to `most`. */
export const retryEvery =
  (first: number, most: number) =>
  (attempt: number): number =>
    Math.min(first * 2 ** (attempt - 1), most);
