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

it('a backlog is handed over in one sweep, however long it is', async () => {
  const backlog = Array.from({ length: 1200 }, (_, id) => ({ id: `${id}`, job: 'mail.send', attempts: 0 }));
  const given: number[] = [];
  const entries = { takeDue: () => Promise.resolve(backlog.splice(0, 500)) };
  const relay = {
    handOver: (due: unknown[]) => {
      given.push(due.length);
      return Promise.resolve();
    },
  };
  const sweeper = new Sweeper(entries as unknown as OutboxRepository, relay as unknown as Relay);
  expect(await sweeper.sweep()).toBe(1200);
  expect(given).toEqual([500, 500, 200]);
});
