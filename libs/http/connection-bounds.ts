import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AmongAddresses } from './address-ranges';
import { addressKey } from './client-address';

/** Refusals for the rate of an address, in a second, after which it is not heard for what is left of that. */
const MOST_REFUSALS = 50;

/**
 * Closes what an address opens beyond so many connections at a time, or while it is refused time and again, before
 * anything is read of it: a connection takes a turn of the event loop, and one that is answered a lot more.
 */
export class ConnectionBounds {
  private readonly open = new Map<string, number>();
  private readonly refusals = new Map<string, number>();
  private second = 0;

  /**
   * @param most 0 does not count
   * @param isFree of addresses that stand for many clients, such as proxies
   */
  constructor(
    private readonly most: number,
    private readonly isFree: AmongAddresses,
    private readonly now: () => number = () => performance.now(),
  ) {}

  guard(server: Server): void {
    if (this.most === 0) return;
    server.on('connection', (socket) => this.take(socket));
    server.on('overrun', (socket: Socket) => this.refused(socket, MOST_REFUSALS));
  }

  /** The rate of the address that the connection comes from was used up already, or is as good as used up. */
  refused({ remoteAddress }: Socket, times = 1): void {
    if (remoteAddress === undefined || this.isFree(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    this.refusals.set(key, this.refusalsOf(key) + times);
  }

  private take(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || this.isFree(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const others = this.open.get(key) ?? 0;
    if (others >= this.most || this.refusalsOf(key) >= MOST_REFUSALS) {
      socket.destroy();
      return;
    }
    this.open.set(key, others + 1);
    socket.once('close', () => {
      const left = (this.open.get(key) ?? 1) - 1;
      if (left > 0) this.open.set(key, left);
      else this.open.delete(key);
    });
  }

  /** In this second. */
  private refusalsOf(key: string): number {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.second) this.refusals.clear();
    this.second = second;
    return this.refusals.get(key) ?? 0;
  }
}
