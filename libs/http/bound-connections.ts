import type { Server } from 'node:http';
import type { AmongAddresses } from './address-ranges';
import { addressKey } from './client-address';

/**
 * Closes what an address opens beyond so many connections at a time, before anything is read of it.
 * @param most 0 does not count
 * @param isFree of addresses that stand for many clients, such as proxies
 */
export function boundConnections(server: Server, most: number, isFree: AmongAddresses): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isFree(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const others = open.get(key) ?? 0;
    if (others >= most) {
      socket.destroy();
      return;
    }
    open.set(key, others + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
