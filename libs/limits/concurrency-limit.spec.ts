import { setImmediate as turn } from 'node:timers/promises';
import { throughout } from '#libs/deadline';
import { eventually } from '#libs/testing';
import { ConcurrencyLimit } from './concurrency-limit';

const BOUNDS = { running: 2, waiting: 32 };

/** Work that ends when it is told to. */
class Work {
  readonly started: number[] = [];
  private readonly endings = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();

  begin(limit: ConcurrencyLimit, number: number): Promise<number> {
    return limit.run(async () => {
      this.started.push(number);
      await new Promise<void>((resolve, reject) => this.endings.set(number, { resolve, reject }));
      return number;
    });
  }
  end(number: number): void {
    this.endings.get(number)?.resolve();
  }
  fail(number: number): void {
    this.endings.get(number)?.reject(new Error(`${number} failed`));
  }
}

describe('ConcurrencyLimit', () => {
  it('lets a place rest after its work, whose result does not wait for that', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const limit = new ConcurrencyLimit({ running: 1, waiting: 1 });
      const first = limit.run(async (rest) => rest(100));
      let begun = false;
      const second = limit.run(async () => void (begun = true));
      await first;
      jest.advanceTimersByTime(99);
      await turn();
      expect(begun).toBe(false);
      jest.advanceTimersByTime(1);
      await second;
      expect(begun).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('runs as many at once as it may, and the others in the order in which they came', async () => {
    const limit = new ConcurrencyLimit(BOUNDS);
    const work = new Work();
    const all = [1, 2, 3, 4, 5].map((number) => work.begin(limit, number));
    await turn();
    expect(work.started).toEqual([1, 2]);
    work.end(2);
    await turn();
    expect(work.started).toEqual([1, 2, 3]);
    work.end(1);
    work.end(3);
    await turn();
    expect(work.started).toEqual([1, 2, 3, 4, 5]);
    work.end(4);
    work.end(5);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  });

  it('lets so many wait, and refuses the next with 503 and when to come back', async () => {
    const limit = new ConcurrencyLimit(BOUNDS);
    const work = new Work();
    const admitted = Array.from({ length: 34 }, (_, number) => work.begin(limit, number));
    await expect(work.begin(limit, 99)).rejects.toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      retryAfter: 1,
    });
    work.end(0);
    await turn();
    admitted.push(work.begin(limit, 34));
    await expect(work.begin(limit, 99)).rejects.toMatchObject({ status: 503 });
    for (let number = 1; number <= 34; number++) {
      work.end(number);
      await turn();
    }
    expect(await Promise.all(admitted)).toHaveLength(35);
    expect(work.started).not.toContain(99);
  });

  it('gives the place of work that failed to the next', async () => {
    const limit = new ConcurrencyLimit(BOUNDS);
    const work = new Work();
    const [one, two, three] = [1, 2, 3].map((number) => work.begin(limit, number));
    await turn();
    work.fail(1);
    await expect(one).rejects.toThrow('1 failed');
    await turn();
    expect(work.started).toEqual([1, 2, 3]);
    work.end(2);
    work.end(3);
    expect(await Promise.all([two, three])).toEqual([2, 3]);
    const later = work.begin(limit, 4);
    await turn();
    expect(work.started).toContain(4);
    work.end(4);
    expect(await later).toBe(4);
  });

  it('leaves out whoever nobody waits for any more', async () => {
    const limit = new ConcurrencyLimit({ running: 1, waiting: 2 });
    const work = new Work();
    const controller = new AbortController();
    const first = work.begin(limit, 1);
    const abandoned = throughout(controller.signal, () => work.begin(limit, 2));
    const third = work.begin(limit, 3);
    controller.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    work.end(1);
    await turn();
    expect(work.started).toEqual([1, 3]);
    work.end(3);
    expect(await Promise.all([first, third])).toEqual([1, 3]);
  });

  it('gives the place of work that hangs to the next, once', async () => {
    const limit = new ConcurrencyLimit({ running: 1, waiting: 2 }, 5);
    const work = new Work();
    const hanging = work.begin(limit, 1);
    const second = work.begin(limit, 2);
    await eventually(() => work.started.length === 2);
    work.end(2);
    expect(await second).toBe(2);
    work.end(1);
    expect(await hanging).toBe(1);
    const later = [3, 4].map((number) => work.begin(limit, number));
    await turn();
    expect(work.started).toEqual([1, 2, 3]);
    work.end(3);
    await turn();
    work.end(4);
    expect(await Promise.all(later)).toEqual([3, 4]);
  });
});
