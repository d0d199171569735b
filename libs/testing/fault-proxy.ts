import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** For a server to do what it was told last, before its connection is gone. */
const TIME_TO_ACT_MS = 50;

/** What becomes of the bytes of a connection, or of one that is being made. */
type Treatment = 'pass' | 'swallow' | 'refuse';

/**
 * A connection to a server that fails as networks do, where killing the server would be another fault: bytes that
 * vanish without a word, on the connections that are open, on new ones, or on both.
 */
export class FaultProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private newcomers: Treatment = 'pass';

  private constructor(private readonly upstream: URL) {
    this.server = createServer({ allowHalfOpen: true }, (socket) => this.take(socket));
  }

  /** Listens on loopback before the server of a URL such as DATABASE_URL or REDIS_URL. */
  static async before(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The same URL, through the proxy. */
  get url(): string {
    const url = new URL(this.upstream);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** Open connections fall silent, in both directions and for good; new ones work. */
  silenceOpen(): void {
    for (const pair of this.pairs) pair.silence();
  }

  /** Open connections fall silent, and new ones are taken and never answered. */
  silence(): void {
    this.newcomers = 'swallow';
    this.silenceOpen();
  }

  /** Open connections are reset, and new ones too. */
  refuse(): void {
    this.newcomers = 'refuse';
    this.cut();
  }

  /** Open connections are reset; new ones go on as before. */
  cut(): void {
    for (const pair of this.pairs) pair.cut();
  }

  /** Open connections are reset, each once these texts have reached the server in turn: the answer is lost. */
  cutAfter(...texts: string[]): void {
    for (const pair of this.pairs) pair.cutAfter(texts);
  }

  /** New connections work again. What had fallen silent stays so, as after a broken network. */
  restore(): void {
    this.newcomers = 'pass';
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private take(socket: Socket): void {
    if (this.newcomers === 'refuse') {
      socket.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const pair = new Pair(socket, this.newcomers === 'swallow' ? null : this.upstream, () =>
      this.pairs.delete(pair),
    );
    this.pairs.add(pair);
  }
}

class Pair {
  private readonly server: Socket | null;
  private silent = false;

  constructor(
    private readonly client: Socket,
    upstream: URL | null,
    private readonly onClosed: () => void,
  ) {
    this.server =
      upstream && connect({ host: upstream.hostname, port: Number(upstream.port), allowHalfOpen: true });
    for (const socket of [client, this.server]) {
      socket?.on('error', () => undefined).on('close', () => this.silent || this.cut());
    }
    if (this.server) client.pipe(this.server).pipe(client);
    else this.silence();
  }

  /** What either side sends is taken and dropped, and neither learns that the other has gone. */
  silence(): void {
    this.silent = true;
    this.server?.unpipe(this.client);
    if (this.server) this.client.unpipe(this.server);
    this.server?.resume();
    this.client.resume();
  }

  cutAfter(texts: readonly string[]): void {
    const left = [...texts];
    this.client.on('data', (chunk: Buffer) => {
      while (left[0] !== undefined && chunk.includes(left[0])) left.shift();
      if (left.length > 0) return;
      this.server?.unpipe(this.client);
      setTimeout(() => this.cut(), TIME_TO_ACT_MS).unref();
    });
  }

  cut(): void {
    this.client.resetAndDestroy();
    this.server?.destroy();
    this.onClosed();
  }
}
