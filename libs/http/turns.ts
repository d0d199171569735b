/** So many requests are begun in a turn of the event loop, so that work under way goes on between them. */
const BEGUN = 4;
/** While more than that wait fewer are begun: the shorter a turn, the sooner those who connect are taken. */
const MANY = { waiting: 32, begun: 2 };
/** So many are looked at in a turn, those included that are refused or whose client has left. */
const SEEN = 64;
/** While others wait behind them, those who came longer ago are told to come again, which costs little. */
const PATIENCE_MS = 250;

export interface Waiting {
  /** Connections take turns, however many requests each sends ahead. */
  connection: object;
  hasLeft: () => boolean;
  begin: () => void;
  refuse: () => void;
}

/**
 * Requests that have arrived and are not begun yet. Without it a turn of the event loop would begin as many as there
 * are connections, and those under way, which take several turns, would wait for all of them in each.
 */
export class Turns {
  /** Of each connection in the order in which they came; the connection whose turn is next comes first. */
  private readonly waiting = new Map<object, (Waiting & { since: number })[]>();
  private count = 0;
  private isDue = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  add(request: Waiting): void {
    const before = this.waiting.get(request.connection);
    const waiting = { ...request, since: this.now() };
    if (before) before.push(waiting);
    else this.waiting.set(request.connection, [waiting]);
    this.count++;
    this.schedule();
  }

  private schedule(): void {
    if (this.isDue || this.count === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.turn();
      this.schedule();
    });
  }

  private turn(): void {
    const inTime = this.now() - PATIENCE_MS;
    const most = this.count > MANY.waiting ? MANY.begun : BEGUN;
    for (let begun = 0, seen = 0; begun < most && seen < SEEN; seen++) {
      const request = this.next();
      if (!request) return;
      if (request.hasLeft()) continue;
      if (request.since < inTime && this.count >= BEGUN) request.refuse();
      else {
        request.begin();
        begun++;
      }
    }
  }

  private next(): (Waiting & { since: number }) | undefined {
    for (const [connection, requests] of this.waiting) {
      const request = requests.shift();
      this.waiting.delete(connection);
      if (requests.length > 0) this.waiting.set(connection, requests);
      this.count--;
      return request;
    }
    return undefined;
  }
}
