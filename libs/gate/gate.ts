import { UnavailableError } from '#libs/errors';

interface Bounds {
  running: number;
  waiting: number;
}

/** Lets so many run and so many more wait for their turn, so that a flood of one kind of work starves no other. */
export class Gate {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly bounds: Bounds) {}

  /** @throws UnavailableError when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.bounds.running) {
      if (this.queue.length >= this.bounds.waiting) throw new UnavailableError({ retryAfter: 1 });
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
