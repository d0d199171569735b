const WINDOW_MS = 250;
/** Of the limit: with less at work its times tell nothing about what they would be without it. */
const IN_USE = 0.8;
const GROWTH = 1.5;

interface Bounds {
  least: number;
  most: number;
  /** How long work should take in the mean, in milliseconds. */
  targetMs: number;
}

/**
 * How much may be at work at once, so that it is done in time however slow the machine is. It follows Little's law:
 * of what is done per second while the limit is in use, as much may be at work as is done within the time wanted.
 */
export class AdaptiveLimit {
  private limit: number;
  /** Since when the limit is in use, and how much was done meanwhile. */
  private since: number | null = null;
  private done = 0;

  constructor(
    private readonly bounds: Bounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.limit = bounds.most;
  }

  get current(): number {
    return this.limit;
  }

  /** @param atWork how many there are with it */
  begun(atWork: number): void {
    if (this.since === null && this.isInUse(atWork)) this.watch();
  }

  /** @param atWork how many are left */
  ended(atWork: number): void {
    if (this.since === null) return;
    this.done++;
    const elapsed = this.now() - this.since;
    if (elapsed >= WINDOW_MS) {
      this.adapt((this.done / elapsed) * this.bounds.targetMs);
      this.watch();
    }
    if (!this.isInUse(atWork)) this.since = null;
  }

  private isInUse(atWork: number): boolean {
    return atWork >= IN_USE * this.limit;
  }

  private watch(): void {
    this.since = this.now();
    this.done = 0;
  }

  private adapt(inTime: number): void {
    const { least, most } = this.bounds;
    this.limit = Math.round(Math.max(least, Math.min(most, inTime, this.limit * GROWTH)));
  }
}
