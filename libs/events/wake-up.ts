/** Tells those who wait that there may be something to do. */
export class WakeUp {
  private pending = Promise.withResolvers<void>();

  /** Resolves the next time; whoever asks before they look misses nothing that comes after it. */
  get next(): Promise<void> {
    return this.pending.promise;
  }

  now(): void {
    const { resolve } = this.pending;
    this.pending = Promise.withResolvers<void>();
    resolve();
  }
}
