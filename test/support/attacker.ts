import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What a connection does next with the answer that it asked for. */
type Reading = 'all' | 'nothing';

/** Someone at an address of their own who sends what suits them, as bytes and over as many connections as they get. */
export class Attacker {
  private readonly sockets = new Set<Socket>();
  private stopped = false;

  /** @param address of the loopback network, so that rates and bounds tell the attacker from others */
  constructor(
    private readonly url: URL,
    private readonly address: string,
  ) {}

  /** Over each of the connections one request after the other, until `stop`. */
  async flood(connections: number, requests: () => Buffer): Promise<void> {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (!this.stopped) {
          await this.exchange(requests());
          // A refused connection must not make a busy loop of this process.
          await wait(5);
        }
      }),
    );
  }

  /** Connections that send this and then wait, taking nothing or all of what comes; lost ones are made again. */
  async hold(connections: number, requests: () => Buffer, reading: Reading): Promise<void> {
    while (!this.stopped) {
      while (!this.stopped && this.sockets.size < connections) {
        for (let some = 0; some < 50 && this.sockets.size < connections; some++)
          this.open(requests(), reading);
        await wait(20);
      }
      await wait(50);
    }
  }

  stop(): void {
    this.stopped = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private exchange(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.open(bytes, 'all').once('close', () => resolve()));
  }

  private open(bytes: Buffer, reading: Reading): Socket {
    const socket = connect({
      host: this.url.hostname,
      port: Number(this.url.port),
      localAddress: this.address,
    });
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    socket.write(bytes);
    if (reading === 'all') socket.resume();
    else socket.pause();
    return socket;
  }
}

/** A request as it goes over the wire; the connection ends with its answer. */
export function wireRequest(
  method: 'GET' | 'POST',
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Buffer {
  const lines = Object.entries({
    host: 'service.test',
    connection: 'close',
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    body ?? Buffer.alloc(0),
  ]);
}
