/** So many requests are begun in a turn of the event loop, so that work under way goes on between them. */
const BEGUN = 8;
/** While more than that wait, those who came longer ago are told to come again, which costs little. */
const PATIENCE_MS = 250;

export interface Waiting {
  /** Whether the client has left meanwhile. */
  hasLeft: () => boolean;
  begin: () => void;
  refuse: () => void;
}

/**
 * Requests that have arrived and are not begun yet. Without it a turn of the event loop would begin as many as there
 * are connections, and those under way, which take several turns, would wait for all of them in each.
 */
export class Turns {
  /** In the order in which they came. */
  private waiting: (Waiting & { since: number })[] = [];
  private isDue = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(request: Waiting): void {
    this.waiting.push({ ...request, since: this.now() });
    this.schedule();
  }

  private schedule(): void {
    if (this.isDue || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.turn();
      this.schedule();
    });
  }

  private turn(): void {
    if (this.waiting.length > BEGUN)
      for (const request of this.late()) if (!request.hasLeft()) request.refuse();
    for (const request of this.waiting.splice(0, BEGUN)) if (!request.hasLeft()) request.begin();
  }

  private late(): Waiting[] {
    const before = this.now() - PATIENCE_MS;
    const inTime = this.waiting.findIndex(({ since }) => since >= before);
    return this.waiting.splice(0, inTime < 0 ? this.waiting.length : inTime);
  }
}
