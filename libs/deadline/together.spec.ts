import { setImmediate as turn } from 'node:timers/promises';
import { ifWanted, throughout } from './deadline';
import { Together } from './together';

const gone = new Error('gone');

/** Work that ends when it is told to, and knows whether it is wanted. */
function startable() {
  let begun = 0;
  let end: (result: string) => void = () => undefined;
  const isWanted: (() => boolean)[] = [];
  const work = (): Promise<string> => {
    begun++;
    let wanted = true;
    isWanted.push(() => wanted);
    return (async () => {
      const ended = new Promise<string>((resolve) => (end = resolve));
      while (wanted && !(await Promise.race([ended.then(() => true), turn(false)]))) {
        try {
          ifWanted();
        } catch {
          wanted = false;
        }
      }
      return ended;
    })();
  };
  return { work, begun: () => begun, end: (result: string) => end(result), isWanted };
}

/** Someone who asks, and may go away. */
function asker() {
  const controller = new AbortController();
  return {
    ask: <Result>(work: () => Promise<Result>): Promise<Result> => throughout(controller.signal, work),
    leave: (): void => controller.abort(gone),
  };
}

describe('Together', () => {
  it('does once what several ask for at once, and anew what is asked for later', async () => {
    const together = new Together<string, string>(60_000);
    const { work, begun, end } = startable();
    const both = [together.run('a', work), together.run('a', work)];
    await turn();
    end('first');
    expect(await Promise.all(both)).toEqual(['first', 'first']);
    const later = together.run('a', work);
    await turn();
    end('second');
    expect([await later, begun()]).toEqual(['second', 2]);
  });

  it('goes on for those who stay, and is left when all have gone', async () => {
    const together = new Together<string, string>(60_000);
    const { work, begun, end, isWanted } = startable();
    const [one, other, late] = [asker(), asker(), asker()];
    const first = one.ask(() => together.run('a', work));
    const second = other.ask(() => together.run('a', work));
    one.leave();
    await expect(first).rejects.toBe(gone);
    await turn();
    expect(isWanted[0]?.()).toBe(true);
    other.leave();
    await expect(second).rejects.toBe(gone);
    await turn();
    await turn();
    expect(isWanted[0]?.()).toBe(false);
    const third = late.ask(() => together.run('a', work));
    await turn();
    end('anew');
    expect([await third, begun()]).toEqual(['anew', 2]);
  });

  it('tells those who wait too long', async () => {
    const together = new Together<string, never>(5);
    await expect(together.run('a', () => new Promise(() => undefined))).rejects.toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
    });
  });
});
