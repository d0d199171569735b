import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestApp } from './test-app';

/** Connections that send and read what and when a test says, as clients do that mean no good. */
export class Sockets {
  private readonly all: Socket[] = [];

  constructor(private readonly test: () => TestApp) {}

  /** A connection of its own that sends this and reads only what it is asked to. */
  async open(head: string[], body: string | Buffer = '', from = '127.0.0.1'): Promise<Socket> {
    const { port } = this.test().app.getHttpServer().address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    this.all.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write([...head, 'Host: api.test', '', ''].join('\r\n'));
    if (body.length > 0) socket.write(body);
    return socket;
  }

  destroy(): void {
    for (const socket of this.all.splice(0)) socket.destroy();
  }
}

/** What comes back until the first answer's head is there. */
export async function answer(socket: Socket): Promise<{ status: number; head: string }> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\r\n\r\n')) break;
  }
  return { status: Number(text.split(' ')[1] ?? 0), head: text.split('\r\n\r\n')[0] ?? '' };
}

/** Whatever is left to read is thrown away. */
export async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

export const posted = (path: string, length: number): string[] => [
  `POST ${path} HTTP/1.1`,
  'Content-Type: application/json',
  `Content-Length: ${length}`,
];
