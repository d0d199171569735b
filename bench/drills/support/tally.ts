import { percentile } from '../../support/percentile';

/** How long an answer may take before it counts as none. */
const PATIENCE_MS = 60_000;

/** The answer to one request. Status 0: the connection ended, or nothing came. */
export interface Answered {
  status: number;
  ms: number;
  body: string;
  headers: Headers;
}

/** Asks once. Each call is a request of its own that is never sent again by itself. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answered> {
  const begin = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
    const body = await response.text();
    return { status: response.status, ms: performance.now() - begin, body, headers: response.headers };
  } catch (error) {
    return { status: 0, ms: performance.now() - begin, body: String(error), headers: new Headers() };
  }
}

export const postJson = (
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answered> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Counts answers by status, and how long they took. */
export class Tally {
  readonly answers: Pick<Answered, 'status' | 'ms'>[] = [];

  /** Counts the answer, and hands it on. */
  async count(asked: Promise<Answered>): Promise<Answered> {
    const answer = await asked;
    this.answers.push({ status: answer.status, ms: answer.ms });
    return answer;
  }

  of(...statuses: number[]): number {
    return this.answers.filter(({ status }) => statuses.includes(status)).length;
  }

  /** How many were neither good nor one of these. */
  others(...statuses: number[]): number {
    return this.answers.filter(({ status }) => !(status >= 200 && status < 300) && !statuses.includes(status))
      .length;
  }

  /** Milliseconds. @param part 0.5, 0.99, 1 for the slowest */
  time(part: number): number {
    const times = this.answers.map(({ ms }) => ms);
    return Math.round(part === 1 ? Math.max(0, ...times) : percentile(times, part));
  }

  toString(): string {
    const byStatus = Map.groupBy(this.answers, ({ status }) => status);
    const counts = [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, all]) => `${all.length} × ${status || 'no answer'}`);
    return `${counts.join(', ') || 'none'}; median ${this.time(0.5)} ms, slowest ${this.time(1)} ms`;
  }
}

/** Goes on with `work`, several at a time, until it is told to stop; resolves when the last is done. */
export function keepDoing(
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): { stop: () => Promise<void> } {
  let next = 0;
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (!stopped) await work(next++);
  };
  const done = Promise.all(Array.from({ length: atOnce }, loop));
  return {
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}
