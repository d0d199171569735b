import { setImmediate as turn } from 'node:timers/promises';
import { Gate } from './gate';

const BOUNDS = { running: 2, waiting: 32 };

/** Work that ends when it is told to. */
class Work {
  readonly started: number[] = [];
  private readonly endings = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();

  begin(gate: Gate, number: number): Promise<number> {
    return gate.run(async () => {
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

describe('Gate', () => {
  it('runs as many at once as it may, and the others in the order in which they came', async () => {
    const gate = new Gate(BOUNDS);
    const work = new Work();
    const all = [1, 2, 3, 4, 5].map((number) => work.begin(gate, number));
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
    const gate = new Gate(BOUNDS);
    const work = new Work();
    const admitted = Array.from({ length: 34 }, (_, number) => work.begin(gate, number));
    await expect(work.begin(gate, 99)).rejects.toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      retryAfter: 1,
    });
    work.end(0);
    await turn();
    admitted.push(work.begin(gate, 34));
    await expect(work.begin(gate, 99)).rejects.toMatchObject({ status: 503 });
    for (let number = 1; number <= 34; number++) {
      work.end(number);
      await turn();
    }
    expect(await Promise.all(admitted)).toHaveLength(35);
    expect(work.started).not.toContain(99);
  });

  it('gives the place of work that failed to the next', async () => {
    const gate = new Gate(BOUNDS);
    const work = new Work();
    const [one, two, three] = [1, 2, 3].map((number) => work.begin(gate, number));
    await turn();
    work.fail(1);
    await expect(one).rejects.toThrow('1 failed');
    await turn();
    expect(work.started).toEqual([1, 2, 3]);
    work.end(2);
    work.end(3);
    expect(await Promise.all([two, three])).toEqual([2, 3]);
    const later = work.begin(gate, 4);
    await turn();
    expect(work.started).toContain(4);
    work.end(4);
    expect(await later).toBe(4);
  });
});
