import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, type Socket, Server as Listener } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { UnavailableError } from '#libs/errors';
import { errorBody } from './error-shapes';
import { requestIdOf } from './request-id';
import { Turns } from './turns';

const TIMES = { requestTimeout: 30_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 5000 };
/** Of a client that takes nothing of its answer. */
const SILENT_MS = 30_000;
/** So long a client that keeps its connection has for the next request on it. */
const LINGER_MS = 500;
/** Connections that wait to be taken; of more the kernel drops the first packet, and the client tries again in a second. */
const BACKLOG = 4096;

/** A port without a moment's rest is closed all the same after so long. */
const SHUTTING_MS = 500;
/** The system does not soon interrupt who has just slept. */
const NAP_MS = 2;
/** The port rests when in a turn of the event loop, no longer than this, nobody came. */
const QUIET_MS = 1;

/** Requests that a connection may send ahead of their answers; each takes memory before anything can refuse it. */
const AHEAD = 16;

const LIVE = '/health/live';
const READY = '/health/ready';
/** Who watches the process needs an answer above all when it is busy. */
export const ALWAYS_ANSWERED = [LIVE, '/metrics'];

const turnedAway = new Counter({
  name: 'http_requests_turned_away',
  help: 'Requests answered with 503 before anything of them was read.',
});

/**
 * The port of the service, from the first moment of the process to the last. Until the application is there, and
 * once it is gone, requests are told to come back, as are those who come faster than they can be begun. In between
 * lies the draining: readiness is off and whoever asks is served, and told that the connection ends with the answer.
 */
export class Entrance {
  readonly server: Server = createServer(TIMES, (request, response) => this.take(request, response));
  private application: RequestListener | null = null;
  /** Who answers; null while nobody does. */
  private handler: RequestListener | null = null;
  private leaving: Promise<void> | null = null;
  private accepted = 0;
  /** Requests that wait until the port is closed; null while they need not. */
  private waiting: (() => void)[] | null = null;
  /** How many requests of each connection wait for their answers. */
  private readonly sockets = new Map<Socket, number>();
  private readonly open = new Set<ServerResponse>();
  private readonly turns = new Turns();

  constructor() {
    this.server.setTimeout(SILENT_MS);
    this.server.on('connection', (socket: Socket) => {
      this.accepted++;
      this.sockets.set(socket, 0);
      // One for each request that waits for its answer.
      socket.setMaxListeners(0);
      for (const event of ['end', 'close'] as const) withoutStacks(socket, event);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** @throws Error EADDRINUSE */
  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, BACKLOG, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** The server of an application that is being made. */
  leadingTo(application: RequestListener): Server {
    this.application = application;
    return this.server;
  }

  /** From now on requests are the application's. */
  admit(): void {
    this.handler = this.application;
  }

  /**
   * Serves for `delayMs` more, until load balancers have noticed, and then those who are connected already.
   * @param mostMs after which even an answer that is being made is cut off
   */
  drain(delayMs = 0, mostMs = LINGER_MS): Promise<void> {
    return (this.leaving ??= this.leave(delayMs, mostMs));
  }

  private async leave(delayMs: number, mostMs: number): Promise<void> {
    for (const response of this.open) endsConnection(response);
    const begin = Date.now();
    if (delayMs > 0) await wait(delayMs);
    const { connections: gone } = await this.shut();
    await Promise.race([gone, wait(LINGER_MS, null, { ref: false })]);
    await turn();
    for (const socket of this.idle()) socket.destroy();
    await Promise.race([gone, wait(Math.max(0, begin + mostMs - Date.now()), null, { ref: false })]);
    this.handler = null;
    for (const socket of this.sockets.keys()) socket.destroy();
  }

  /**
   * Closes the port when nobody is on the way: connections that the kernel has made, and the process has not taken
   * yet, would be reset. Who asks meanwhile waits, and so does not connect for a next request.
   * @returns what comes once all connections have ended
   */
  private async shut(): Promise<{ connections: Promise<void> }> {
    this.waiting = [];
    const end = performance.now() + SHUTTING_MS;
    let rests = false;
    while (!rests && performance.now() < end) {
      await wait(NAP_MS);
      const begin = performance.now();
      const before = this.accepted;
      await turn();
      rests = this.accepted === before && performance.now() - begin < QUIET_MS;
    }
    // Not the HTTP server's own close, which cuts connections whose next request may be on its way.
    const connections = new Promise<void>((resolve) => {
      Listener.prototype.close.call(this.server, () => resolve());
    });
    for (const proceed of this.waiting.splice(0)) proceed();
    this.waiting = null;
    return { connections };
  }

  private idle(): Socket[] {
    return [...this.sockets].filter(([, asked]) => asked === 0).map(([socket]) => socket);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const ahead = this.sockets.get(socket) ?? 0;
    if (ahead >= AHEAD) {
      this.server.emit('overrun', socket);
      readNoFurther(socket);
      return;
    }
    this.sockets.set(socket, ahead + 1);
    this.open.add(response);
    this.onceGone(request, response);
    if (this.leaving) endsConnection(response);
    if (this.waiting) this.waiting.push(() => this.lead(request, response));
    else this.lead(request, response);
  }

  private onceGone({ socket }: IncomingMessage, response: ServerResponse): void {
    // Node 20 does not tell an answer that waits behind another that their connection is gone.
    const tell = (): void => void setImmediate(() => this.open.has(response) && response.emit('close'));
    socket.once('close', tell);
    response.once('close', () => {
      this.open.delete(response);
      const left = this.sockets.get(socket);
      if (left !== undefined) this.sockets.set(socket, left - 1);
      socket.off('close', tell);
    });
  }

  private lead(request: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const handler = path === READY && this.leaving ? null : this.handler;
    if (handler && ALWAYS_ANSWERED.includes(path)) handler(request, response);
    else if (handler)
      this.turns.add({
        connection: request.socket,
        hasLeft: () => request.socket.destroyed,
        begin: () => handler(request, response),
        refuse: () => refuse(request, response),
      });
    else if (path === LIVE) answer(request, response, 200, { status: 'ok' });
    else {
      endsConnection(response);
      refuse(request, response);
    }
  }
}

/** Not even what has arrived: by itself Node reads all requests of a piece, whatever became of the connection. */
function readNoFurther(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  // As after an upgrade, when no more HTTP follows.
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}

const STACK_LIMIT = Error.stackTraceLimit;

/**
 * Of each request that a connection leaves behind Node makes an error and writes out its stack, which nobody sees and
 * which takes longer than to read the request.
 */
function withoutStacks(socket: Socket, event: 'end' | 'close'): void {
  socket.prependListener(event, () => (Error.stackTraceLimit = 0));
  socket.on(event, () => (Error.stackTraceLimit = STACK_LIMIT));
}

/** Of an answer whose head is not written yet. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  turnedAway.inc();
  const refusal = new UnavailableError();
  const requestId = requestIdOf(request);
  response.setHeader('x-request-id', requestId);
  response.setHeader('retry-after', refusal.retryAfter ?? 1);
  answer(request, response, refusal.status, errorBody(refusal, 'shared', requestId));
}

/** Once the request has arrived: a connection that ends before is reset, and its answer may be lost. */
function answer(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  request.resume().once('end', () => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(JSON.stringify(body));
  });
}
