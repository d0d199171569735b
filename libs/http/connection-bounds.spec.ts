import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionBounds } from './connection-bounds';

class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const PROXY = '10.0.0.1';

function guarded(most: number) {
  let now = 0;
  const server = new EventEmitter();
  const bounds = new ConnectionBounds(
    most,
    (address) => address === PROXY,
    () => now,
  );
  bounds.guard(server as Server);
  return {
    open: (address: string): FakeSocket => {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      return socket;
    },
    refuse: (address: string, times: number): void => {
      for (let time = 0; time < times; time++) bounds.refused(new FakeSocket(address) as unknown as Socket);
    },
    wait: (ms: number): void => void (now += ms),
  };
}

describe('connections', () => {
  it('are so many at a time of an address, and closed ones make room', () => {
    const { open } = guarded(2);
    const [first] = [open('192.0.2.1'), open('192.0.2.1')];
    expect(open('192.0.2.1').destroyed).toBe(true);
    expect(open('192.0.2.2').destroyed).toBe(false);
    first?.destroy();
    expect(open('192.0.2.1').destroyed).toBe(false);
    expect(Array.from({ length: 5 }, () => open(PROXY)).some(({ destroyed }) => destroyed)).toBe(false);
  });

  it('of an address that is refused time and again are closed for what is left of the second', () => {
    const { open, refuse, wait } = guarded(100);
    refuse('192.0.2.1', 49);
    expect(open('192.0.2.1').destroyed).toBe(false);
    refuse('192.0.2.1', 1);
    expect(open('192.0.2.1').destroyed).toBe(true);
    expect(open('192.0.2.2').destroyed).toBe(false);
    wait(1000);
    expect(open('192.0.2.1').destroyed).toBe(false);
    refuse(PROXY, 100);
    expect(open(PROXY).destroyed).toBe(false);
  });

  it('are not counted where there is no bound', () => {
    const { open, refuse } = guarded(0);
    refuse('192.0.2.1', 100);
    expect(open('192.0.2.1').destroyed).toBe(false);
  });
});
