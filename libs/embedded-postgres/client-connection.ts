import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  encodeFatal,
  encodeMessage,
  int32,
  messageType,
  prefixStatementName,
  readSql,
  readText,
  replaceSql,
} from './messages';
import type { SessionClient, SharedSession } from './shared-session';

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const PROTOCOL_3 = 3;
const CLEARTEXT_PASSWORD = encodeMessage('R', int32(3));
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const MAX_STARTUP_BYTES = 10_000;
/** How long each step up to a session may take. */
const STARTUP_MS = 5_000;

const SKIP = String.raw`(?:\s|--[^\n]*\n|/\*[^]*?\*/)*`;
const CHANNEL = String.raw`(?:"((?:[^"]|"")+)"|([\w$]+))`;
const LISTEN = new RegExp(String.raw`(?:^|;)${SKIP}listen\s+${CHANNEL}${SKIP}(?=;|$)`, 'gi');
const UNLISTEN = new RegExp(String.raw`^${SKIP}unlisten\s+(?:${CHANNEL}|\*)${SKIP};?\s*$`, 'i');
const COPY_FROM_STDIN = new RegExp(String.raw`(?:^|;)${SKIP}copy\b[^;]*\bfrom\s+stdin\b`, 'i');

// The session is shared: one client's UNLISTEN must not end another client's LISTEN.
const UNLISTEN_NOTHING = 'UNLISTEN embedded_postgres_nothing';
// PGlite ends with FATAL when it waits for more data in the middle of a statement.
const REFUSE_COPY =
  "do $$begin raise feature_not_supported using message = 'COPY FROM STDIN is not supported'; end$$";

function channelName([, quoted, plain]: RegExpMatchArray): string | null {
  return quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? null;
}

let lastId = 0;

function matches(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The protocol of one socket: start-up, password, and cutting the stream into batches. */
export class ClientConnection implements SessionClient {
  readonly channels = new Set<string>();
  readonly statementNames = new Set<string>();
  private readonly prefix = `c${++lastId}_`;
  private phase: 'startup' | 'password' | 'session' = 'startup';
  private chunks: Buffer[] = [];
  private received = 0;
  private needed = 1;
  private batch: Buffer[] = [];
  private late: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly session: SharedSession,
    private readonly options: { password: string; greeting: Buffer },
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // A reset connection also emits 'close', where everything is cleaned up.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(this.late);
      session.leave(this);
    });
    this.enter('startup');
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  write(data: Buffer): void {
    if (this.socket.writable) this.socket.write(data);
  }

  terminateIdle(): void {
    this.fail('25P03', 'terminating connection due to idle-in-transaction timeout');
  }

  fail(code: string, text: string): void {
    this.write(encodeFatal(code, text));
    this.socket.destroySoon();
    // Not left to the client's own close: it may never read again.
    this.session.leave(this);
  }

  private enter(phase: ClientConnection['phase']): void {
    this.phase = phase;
    clearTimeout(this.late);
    if (phase === 'session') return;
    const end = (): void => {
      if (this.phase === phase) this.socket.destroy();
    };
    // What came while a query held up this thread is read first.
    this.late = setTimeout(() => setImmediate(end), STARTUP_MS).unref();
  }

  private receive(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    // A large message comes in many chunks: joined once, when it is complete.
    if (this.received < this.needed) return;
    let rest = Buffer.concat(this.chunks);
    for (;;) {
      this.needed = this.messageLength(rest);
      if (this.socket.destroyed || !this.socket.writable) return;
      if (rest.length < this.needed) break;
      this.handle(rest.subarray(0, this.needed));
      rest = rest.subarray(this.needed);
    }
    this.chunks = [rest];
    this.received = rest.length;
  }

  /** Bytes of the first message, or of its header as long as that is not complete. */
  private messageLength(buffer: Buffer): number {
    const typeBytes = this.phase === 'startup' ? 0 : 1;
    if (buffer.length < typeBytes + 4) return typeBytes + 4;
    const length = buffer.readInt32BE(typeBytes);
    const limit = this.phase === 'session' ? MAX_MESSAGE_BYTES : MAX_STARTUP_BYTES;
    if (length >= 4 && length <= limit) return typeBytes + length;
    this.fail('08P01', 'invalid message length');
    return typeBytes + 4;
  }

  private handle(message: Buffer): void {
    if (this.phase === 'startup') this.startUp(message);
    else if (this.phase === 'password') this.authenticate(message);
    else this.collect(message);
  }

  private startUp(message: Buffer): void {
    const code = message.length >= 8 ? message.readInt32BE(4) : 0;
    if (code === SSL_REQUEST || code === GSS_REQUEST) {
      this.write(Buffer.from('N'));
    } else if (code >> 16 === PROTOCOL_3) {
      this.enter('password');
      this.write(CLEARTEXT_PASSWORD);
    } else {
      // Including CancelRequest: a query in WASM cannot be interrupted from outside.
      this.socket.destroy();
    }
  }

  private authenticate(message: Buffer): void {
    if (messageType(message) !== 'p' || !matches(readText(message, 5), this.options.password)) {
      this.fail('28P01', 'password authentication failed');
      return;
    }
    this.enter('session');
    this.session.join(this);
    this.write(this.options.greeting);
  }

  private collect(message: Buffer): void {
    const type = messageType(message);
    if (type === 'X') {
      this.socket.end();
      return;
    }
    this.batch.push(this.ownStatement('QP'.includes(type) ? this.screen(message) : message));
    if (!'QSHF'.includes(type)) return;
    this.session.send(this, Buffer.concat(this.batch));
    this.batch = [];
  }

  /** Named statements of different clients would collide in the one session. */
  private ownStatement(message: Buffer): Buffer {
    const prefixed = prefixStatementName(message, this.prefix);
    if (prefixed !== message && messageType(message) === 'P') this.statementNames.add(readText(prefixed, 5));
    return prefixed;
  }

  /** What one session for all, or PGlite, cannot do as it stands. */
  private screen(message: Buffer): Buffer {
    const sql = readSql(message);
    if (COPY_FROM_STDIN.test(sql)) return replaceSql(message, REFUSE_COPY);
    for (const match of sql.matchAll(LISTEN)) this.channels.add(channelName(match) ?? '');
    const match = UNLISTEN.exec(sql);
    if (!match) return message;
    const channel = channelName(match);
    if (channel === null) this.channels.clear();
    else this.channels.delete(channel);
    return replaceSql(message, UNLISTEN_NOTHING);
  }
}
