import { unlessAbandoned } from '#libs/deadline';
import { UnavailableError } from '#libs/errors';

interface Bounds {
  running: number;
  waiting: number;
}

/** Longer than any work that is bounded here: whoever has a place so long will never give it back. */
const HUNG_MS = 30_000;

/** Lets so many run and so many more wait for their turn, so that a flood of one kind of work starves no other. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly queue = new Set<() => void>();

  constructor(
    private readonly bounds: Bounds,
    private readonly hungMs = HUNG_MS,
  ) {}

  /**
   * @param work may have its place rest for so many milliseconds once it is done
   * @throws UnavailableError when too many wait already, or the reason why nobody wants the work any more
   */
  async run<Result>(work: (rest: (ms: number) => void) => Promise<Result>): Promise<Result> {
    if (this.running < this.bounds.running) this.running++;
    else if (this.queue.size < this.bounds.waiting) await this.turn();
    else throw new UnavailableError({ retryAfter: 1 });
    const leave = this.place();
    let restMs = 0;
    try {
      return await work((ms) => (restMs = ms));
    } finally {
      if (restMs > 0) setTimeout(leave, restMs);
      else leave();
    }
  }

  private async turn(): Promise<void> {
    let begin: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => this.queue.add((begin = resolve)));
    try {
      await unlessAbandoned(turn);
    } catch (error) {
      // Whose turn has come meanwhile has a place to give on.
      if (!this.queue.delete(begin)) this.next();
      throw error;
    }
  }

  /** A place at work, and how it is left. */
  private place(): () => void {
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      clearTimeout(hung);
      this.next();
    };
    const hung = setTimeout(leave, this.hungMs).unref();
    return leave;
  }

  /** The place goes to the next in line without ever looking free. */
  private next(): void {
    const [begin] = this.queue;
    if (!begin) {
      this.running--;
      return;
    }
    this.queue.delete(begin);
    begin();
  }
}
