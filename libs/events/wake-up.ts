/** Tells those who wait that there may be something to do. */
export class WakeUp {
  private readonly listeners = new Set<() => void>();

  /** @returns what ends it */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  now(): void {
    for (const listener of this.listeners) listener();
  }
}

/** For who looks, waits, and looks again: what is told while they look is not missed. */
export class Waiting {
  readonly end: () => void;
  private told = false;
  private resume?: () => void;

  constructor(wakeUp: WakeUp) {
    this.end = wakeUp.subscribe(() => {
      this.told = true;
      this.resume?.();
    });
  }

  /** To be called before a look. */
  begin(): void {
    this.told = false;
  }

  /** Until something is told since then, that time is over, or nobody waits any more. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.told || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.resume = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      this.resume = end;
    });
  }
}
