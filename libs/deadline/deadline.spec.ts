import { setImmediate as turn } from 'node:timers/promises';
import { ifWanted, throughout, unlessAbandoned, within, withoutDeadline } from './deadline';

const never = new Promise<never>(() => undefined);
const gone = new Error('gone');

describe('the deadline of work', () => {
  it('is felt by what begins after it, and not by what is kept out of it', async () => {
    const controller = new AbortController();
    await throughout(controller.signal, async () => {
      ifWanted();
      controller.abort(gone);
      await turn();
      expect(ifWanted).toThrow(gone);
      withoutDeadline(ifWanted);
    });
    ifWanted();
  });

  it('leaves what never ends', async () => {
    const controller = new AbortController();
    const waiting = throughout(controller.signal, () => unlessAbandoned(never));
    controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    await expect(throughout(controller.signal, () => unlessAbandoned(never))).rejects.toBe(gone);
    expect(await unlessAbandoned(Promise.resolve(1))).toBe(1);
  });

  it('is one of its own for what several wait for', async () => {
    const controller = new AbortController();
    controller.abort(gone);
    const shared = throughout(controller.signal, () =>
      within(60_000, async () => {
        ifWanted();
        return 1;
      }),
    );
    expect(await shared).toBe(1);
    await expect(within(5, () => never)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  });
});
