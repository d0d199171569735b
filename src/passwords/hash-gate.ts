import { UnavailableError } from '#libs/errors';

const RUNNING = 2;
const WAITING = 32;

/** Hashing is slow by design: at most two run and 32 wait, so that a flood of them starves nothing else. */
export class HashGate {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  /** @throws UnavailableError when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= RUNNING) {
      if (this.queue.length >= WAITING) throw new UnavailableError({ retryAfter: 1 });
      await new Promise<void>((turn) => this.queue.push(turn));
    } else {
      this.running++;
    }
    try {
      return await work();
    } finally {
      // The place goes to the next in line without ever looking free.
      const next = this.queue.shift();
      if (next) next();
      else this.running--;
    }
  }
}
