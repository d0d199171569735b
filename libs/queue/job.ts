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
  /** Never set: it carries the payload's type. */
  readonly payload?: Payload;
}

type Options = Partial<Pick<JobDefinition, 'attempts' | 'delay' | 'isFinal' | 'leaseSeconds' | 'sealed'>>;

export function defineJob<Payload>(
  name: `${string}.${string}`,
  options: Options = {},
): JobDefinition<Payload> {
  return {
    name,
    queue: name.slice(0, name.indexOf('.')),
    attempts: 10,
    delay: retryEvery(5, 600),
    isFinal: () => false,
    leaseSeconds: 60,
    sealed: false,
    ...options,
  };
}

/** Doubles from `first` seconds up to `most`. */
export const retryEvery =
  (first: number, most: number) =>
  (attempt: number): number =>
    Math.min(first * 2 ** (attempt - 1), most);
