import type { DiscoveryService } from '@nestjs/core';
import { defineJob } from '#libs/queue';
import { During, DuringListeners } from './during';
import { defineEvent } from './event';
import { defineListener, jobsAfter } from './listener';

const HAPPENED = defineEvent<{ id: number }, number>('test.happened');

class Doubling {
  @During(HAPPENED)
  double({ id }: { id: number }): Promise<number> {
    return Promise.resolve(2 * id);
  }
}

const provided = (...instances: object[]): DuringListeners =>
  new DuringListeners({
    getProviders: () => instances.map((instance) => ({ instance })),
  } as unknown as DiscoveryService);

describe('what is declared', () => {
  it('has a name of its own', () => {
    expect(() => defineEvent('test.happened')).toThrow('The event "test.happened" is declared twice.');
    defineJob('test.job');
    expect(() => defineListener(HAPPENED, 'test.job')).toThrow('The job "test.job" is declared twice.');
  });

  it('runs after its event and no other', () => {
    const OTHER = defineEvent<{ id: number }>('test.other');
    defineListener(OTHER, 'test.first');
    defineListener(OTHER, 'test.second');
    expect(jobsAfter(OTHER)).toEqual(['test.first', 'test.second']);
    expect(jobsAfter(HAPPENED)).toEqual([]);
  });
});

describe('a listener', () => {
  it('is called on the one instance there is', async () => {
    const one = new Doubling();
    const listeners = provided({}, one, one);
    expect(() => listeners.check()).not.toThrow();
    expect(await Promise.all(listeners.of(HAPPENED).map((listener) => listener({ id: 21 })))).toEqual([42]);
  });

  it.each([
    ['nowhere', [], 0],
    ['twice', [new Doubling(), new Doubling()], 2],
  ])('that is provided %s stops the start', (_, instances, times) => {
    const message = `The listener "Doubling.double" of "test.happened" is provided ${times} times; it must be once.`;
    expect(() => provided(...instances).check()).toThrow(message);
    expect(() => provided(...instances).of(HAPPENED)).toThrow(message);
  });
});
