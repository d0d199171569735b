import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';

interface Outcomes {
  answered: number;
  /** Of these, writes. */
  written: number;
  /** Answered with 503, `Retry-After` and a body of ours. */
  refused: number;
  /** Sent on a connection that was there, and never answered, or not by us. */
  lost: string[];
}

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/**
 * Clients that ask without a pause, some on connections that they keep and some on a new one for each request,
 * until no connection can be made.
 */
export class Senders {
  readonly outcomes: Outcomes = { answered: 0, written: 0, refused: 0, lost: [] };
  private readonly senders: Promise<void>[] = [];

  constructor(private readonly url: string) {}

  /** @param next what is sent next */
  start(many: number, keep: boolean, next: () => Sent): void {
    for (let n = 0; n < many; n++) this.senders.push(this.keepSending(keep, next));
  }

  /** Resolves once nobody can connect any more. */
  async done(): Promise<Outcomes> {
    await Promise.all(this.senders);
    return this.outcomes;
  }

  private async keepSending(keep: boolean, next: () => Sent): Promise<void> {
    const agent = new Agent({ keepAlive: keep, maxSockets: 1 });
    while (await this.send(agent, next()));
    agent.destroy();
  }

  /** @returns whether there was a connection to send it on */
  private send(agent: Agent, { method, path, headers, body }: Sent): Promise<boolean> {
    const text = body && JSON.stringify(body);
    const begin = Date.now();
    return new Promise((resolve) => {
      let connected = false;
      const fail = (reason: string): void => {
        if (connected) this.outcomes.lost.push(`${method} ${path} after ${Date.now() - begin} ms: ${reason}`);
        resolve(connected);
      };
      const sending = request(`${this.url}${path}`, {
        method,
        agent,
        headers: {
          ...headers,
          ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      });
      sending.on('socket', (socket: Socket) => {
        if (socket.connecting) socket.once('connect', () => (connected = true));
        else connected = true;
      });
      sending.on('error', ({ message }) =>
        fail(`${sending.reusedSocket ? 'kept' : 'new'} connection: ${message}`),
      );
      sending.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', ({ message }) => fail(message));
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          const ours = response.headers['x-request-id'] !== undefined;
          if (status < 400) {
            this.outcomes.answered++;
            if (method === 'POST') this.outcomes.written++;
          } else if (status === 503 && ours && response.headers['retry-after']) this.outcomes.refused++;
          else return fail(`${status} ${Buffer.concat(chunks).toString()}`);
          resolve(true);
        });
      });
      sending.end(text);
    });
  }
}
