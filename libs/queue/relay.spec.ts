import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type Hint, Relay } from './relay';

/** A queue that takes what it is given when it is told to. */
class SilentQueue {
  readonly name = 'mail';
  readonly given: string[] = [];
  private readonly takes: (() => void)[] = [];

  addBulk(jobs: { data: Hint }[]): Promise<void> {
    this.given.push(...jobs.map(({ data }) => data.id));
    return new Promise((resolve) => this.takes.push(resolve));
  }

  takeAll(): void {
    for (const take of this.takes.splice(0)) take();
  }
}

const entry = (id: number) => ({ id: `${id}`, job: 'mail.send', attempts: 0 });

describe('hints for a queue that is silent', () => {
  let queue: SilentQueue;
  let relay: Relay;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    queue = new SilentQueue();
    relay = new Relay([queue as unknown as Queue<Hint>]);
  });

  it('do not pile up: what is too much is left to the sweeper, and it is told so', async () => {
    const hints = Array.from({ length: 5000 }, (_, id) => relay.hint(entry(id)));
    expect(queue.given).toHaveLength(1000);
    await expect(relay.handOver([entry(1)])).rejects.toThrow('not taken');
    queue.takeAll();
    await Promise.all(hints);
    const again = relay.hint(entry(5001));
    expect(queue.given).toHaveLength(1001);
    queue.takeAll();
    await again;
  });

  it('are not waited for without end, and do not fail whoever gave them', async () => {
    jest.useFakeTimers();
    try {
      const hinted = relay.hint(entry(1));
      const failure = relay.handOver([entry(2)]).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(5000);
      await hinted;
      expect(await failure).toMatchObject({ code: 'UNAVAILABLE' });
    } finally {
      jest.useRealTimers();
    }
  });
});
