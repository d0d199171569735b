import { setImmediate as turn } from 'node:timers/promises';
import { Clock } from '#libs/clock';
import { PublicReads } from './public-reads';
import { ReadyAnswer } from './ready-answer';
import type { StampsRepository } from './stamps.repository';

/** Stamps whose looks end when they are told to. */
class Stamps {
  readonly looks: ((stamp: string | Error) => void)[] = [];

  current(): Promise<string> {
    return new Promise((resolve, reject) =>
      this.looks.push((stamp) => (stamp instanceof Error ? reject(stamp) : resolve(stamp))),
    );
  }
  nextChange(): Promise<null> {
    return Promise.resolve(null);
  }
}

describe('PublicReads', () => {
  const stamps = (): [Stamps, PublicReads] => {
    const looking = new Stamps();
    return [looking, new PublicReads(looking as unknown as StampsRepository, new Clock())];
  };
  let said = 0;
  const read = (): Promise<ReadyAnswer> => ReadyAnswer.of({ said: ++said });

  it('looks once for all who ask while a look is under way, and not with that look', async () => {
    const [{ looks }, reads] = stamps();
    const ask = (): Promise<string> => reads.answer('/a', 1, read).then(({ etag }) => etag);
    const first = ask();
    const others = [ask(), ask(), ask()];
    await turn();
    expect(looks).toHaveLength(1);
    looks[0]?.('1');
    const before = await first;
    await turn();
    expect(looks).toHaveLength(2);
    // What was written after the first look began is seen by those who asked later.
    looks[1]?.('2');
    const after = await Promise.all(others);
    expect(new Set(after).size).toBe(1);
    expect(after).not.toContain(before);
    const later = ask();
    await turn();
    expect(looks).toHaveLength(3);
    looks[2]?.('2');
    expect(await later).toBe(after[0]);
  });

  it('keeps small answers beside many that are large, which are not kept', async () => {
    const [looking, reads] = stamps();
    jest.spyOn(looking, 'current').mockResolvedValue('1');
    const large = (): Promise<ReadyAnswer> => ReadyAnswer.of({ said: ++said, text: 'x'.repeat(2_200_000) });
    const tag = async (url: string, make: () => Promise<ReadyAnswer>): Promise<string> =>
      (await reads.answer(url, 1, make)).etag;
    const small = await tag('/small', read);
    const first = await tag('/large/0', large);
    for (let n = 1; n < 10; n++) await tag(`/large/${n}`, large);
    expect(await tag('/small', read)).toBe(small);
    expect(await tag('/large/0', large)).not.toBe(first);
  });

  it('looks again after a look that failed', async () => {
    const [{ looks }, reads] = stamps();
    const ask = (): Promise<string> => reads.answer('/a', 1, read).then(({ etag }) => etag);
    const first = ask();
    const second = ask();
    looks[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    looks[1]?.('1');
    expect(await second).toMatch(/^W\//);
    const third = ask();
    await turn();
    looks[2]?.('1');
    expect(await third).toBe(await second);
  });

  it('gives up a look and a reading that hang: whoever asks next begins anew', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const [{ looks }, reads] = stamps();
      const ask = (reading = read): Promise<string> =>
        reads.answer('/a', 1, reading).then(({ etag }) => etag);
      const first = ask();
      const waiting = ask();
      const refused = first.catch((error: unknown) => error);
      jest.advanceTimersByTime(3000);
      expect(await refused).toMatchObject({ status: 503 });
      await turn();
      looks[1]?.('1');
      expect(await waiting).toMatch(/^W\//);

      const hanging = ask(() => new Promise(() => undefined)).catch((error: unknown) => error);
      await turn();
      looks[2]?.('2');
      await turn();
      jest.advanceTimersByTime(10_000);
      expect(await hanging).toMatchObject({ status: 503 });
      const again = ask();
      await turn();
      looks[3]?.('2');
      expect(await again).toMatch(/^W\//);
    } finally {
      jest.useRealTimers();
    }
  });
});
