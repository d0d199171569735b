import { setImmediate as turn } from 'node:timers/promises';
import type { OutboxRepository } from './outbox.repository';
import type { Relay } from './relay';
import { Sweeper } from './sweeper';

it('a sweep that hangs is given up, and the next comes in its time', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    let looks = 0;
    const entries = {
      takeDue: () => (++looks === 1 ? new Promise(() => undefined) : Promise.resolve([])),
      prune: () => Promise.resolve(0),
    };
    const relay = { handOver: () => Promise.resolve() };
    const sweeper = new Sweeper(entries as unknown as OutboxRepository, relay as unknown as Relay);
    sweeper.onApplicationBootstrap();
    await turn();
    jest.advanceTimersByTime(10_000);
    await turn();
    expect(looks).toBe(2);
    await sweeper.onApplicationShutdown();
  } finally {
    jest.useRealTimers();
  }
});
