import { Clock } from '#libs/clock';

/** Real time until it is set. */
export class FakeClock extends Clock {
  private at: Date | null = null;

  override now(): Date {
    return this.at ?? super.now();
  }

  set(at: Date | string): void {
    this.at = new Date(at);
  }

  advance(seconds: number): void {
    this.at = new Date(this.now().getTime() + seconds * 1000);
  }

  reset(): void {
    this.at = null;
  }
}
