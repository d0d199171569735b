import { AdaptiveLimit } from './adaptive-limit';

/** A server that does one piece of work after the other, each in `costMs`, and has as many waiting as it may. */
class Server {
  now = 0;
  readonly limit = new AdaptiveLimit({ least: 10, most: 100, targetMs: 400 }, () => this.now);
  private readonly queue: number[] = [];

  /** @returns how long what was admitted in this time had to wait at most, of what ended in the second half */
  run(ms: number, costMs: number, asked = Infinity): number {
    const end = this.now + ms;
    let longest = 0;
    while (this.now < end) {
      while (this.queue.length < Math.min(this.limit.current, asked)) {
        this.queue.push(this.now);
        this.limit.begun(this.queue.length);
      }
      this.now += costMs;
      const began = this.queue.shift() ?? this.now;
      this.limit.ended(this.queue.length);
      if (this.now > end - ms / 2) longest = Math.max(longest, this.now - began);
    }
    return longest;
  }
}

describe('AdaptiveLimit', () => {
  it('stays at its most where work is done in time', () => {
    const server = new Server();
    expect(server.run(5000, 1)).toBeLessThanOrEqual(101);
    expect(server.limit.current).toBe(100);
  });

  it.each([10, 20, 35])('holds the wait to what is wanted where each takes %d ms', (costMs) => {
    const server = new Server();
    expect(server.run(10_000, costMs)).toBeLessThanOrEqual(500);
    expect(server.limit.current).toBeGreaterThanOrEqual(10);
    expect(server.limit.current).toBeLessThan(50);
  });

  it('grows again within seconds once work is quicker', () => {
    const server = new Server();
    server.run(10_000, 100);
    expect(server.limit.current).toBe(10);
    server.run(3000, 1);
    expect(server.limit.current).toBe(100);
  });

  it('learns nothing from work that is slow but not much', () => {
    const server = new Server();
    server.run(10_000, 300, 3);
    expect(server.limit.current).toBe(100);
    server.now += 60_000;
    server.run(1000, 1);
    expect(server.limit.current).toBe(100);
  });
});
