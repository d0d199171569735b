import type { PGlite } from '@electric-sql/pglite';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import {
  encodeMessage,
  encodeQuery,
  encodeStartup,
  messageType,
  readText,
  splitMessages,
  SYNC,
} from './messages';

/** One connected driver, as the shared session sees it. */
export interface SessionClient {
  readonly closed: boolean;
  readonly channels: ReadonlySet<string>;
  readonly statementNames: ReadonlySet<string>;
  write(data: Buffer): void;
  /** The session is left idle inside this client's transaction for too long. */
  terminateIdle(): void;
}

interface Batch {
  client: SessionClient;
  data: Buffer;
  /** Clean-up after a client that is gone: nobody reads the answer. */
  silent: boolean;
}

// Everybody waits for an open transaction, so a forgotten one must not block for good.
const IDLE_IN_TRANSACTION_MS = 60_000;

const IDLE_POLL_MS = 5;

const CHANNEL_OFFSET = 9; // type, length, process id

/**
 * Lets many clients take turns on PGlite's one session. A client gets the session for a whole batch
 * (a simple query, or everything up to Sync) and, if that leaves a transaction open, until the
 * transaction ends; the queue of @electric-sql/pglite-socket switches between single messages
 * instead, so one client's Parse can replace another's unnamed statement before its Bind
 * (electric-sql/pglite#1046).
 */
export class SharedSession {
  private readonly waiting: Batch[] = [];
  private readonly clients = new Set<SessionClient>();
  private owner: SessionClient | null = null;
  private busy = false;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly database: PGlite) {}

  /** What the server says after authentication: the same for every client of the one session. */
  greeting(): Promise<Buffer> {
    return this.execute(encodeStartup({ user: 'postgres', database: 'postgres', client_encoding: 'UTF8' }));
  }

  join(client: SessionClient): void {
    this.clients.add(client);
  }

  /** Drops what the client still has to say and undoes what it left behind. */
  leave(client: SessionClient): void {
    if (!this.clients.delete(client)) return;
    const kept = this.waiting.filter((batch) => batch.client !== client);
    this.waiting.splice(0, this.waiting.length, ...kept);
    if (this.owner === client) this.rollBack(client);
    const closes = [...client.statementNames].map((name) => encodeMessage('C', Buffer.from('S'), name));
    if (closes.length > 0) this.enqueue({ client, data: Buffer.concat([...closes, SYNC]), silent: true });
  }

  send(client: SessionClient, data: Buffer): void {
    this.enqueue({ client, data, silent: false });
  }

  /** Runs once the session has nothing to do and no transaction is open. */
  async whenIdle<T>(work: () => Promise<T>): Promise<T> {
    while (this.busy || this.owner) await delay(IDLE_POLL_MS);
    this.busy = true;
    try {
      return await work();
    } finally {
      this.busy = false;
      void this.drain();
    }
  }

  private enqueue(batch: Batch): void {
    this.waiting.push(batch);
    if (!this.busy) void this.drain();
  }

  private rollBack(client: SessionClient): void {
    // The first ROLLBACK covers a batch that never reached its Sync (a Sync would commit it), the
    // second one a batch that failed: there, everything up to the Sync is skipped.
    const data = Buffer.concat([encodeQuery('ROLLBACK'), SYNC, encodeQuery('ROLLBACK')]);
    this.enqueue({ client, data, silent: true });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    for (let batch = this.next(); batch; batch = this.next()) {
      clearTimeout(this.idleTimer);
      await this.run(batch);
      // Answers, IPC pings and new connections get their turn between two batches.
      await nextTurn();
    }
    this.busy = false;
  }

  private next(): Batch | undefined {
    if (!this.owner) return this.waiting.shift();
    const index = this.waiting.findIndex((batch) => batch.client === this.owner);
    return index === -1 ? undefined : this.waiting.splice(index, 1)[0];
  }

  private async run({ client, data, silent }: Batch): Promise<void> {
    const answer: Buffer[] = [];
    // No ReadyForQuery (after a Flush) means that the client is in the middle of a batch.
    let idle = false;
    for (const message of splitMessages(await this.execute(data))) {
      const type = messageType(message);
      if (type === 'A') {
        this.notify(message);
        continue;
      }
      if (type === 'Z') idle = message[5] === 'I'.charCodeAt(0);
      answer.push(message);
    }
    this.owner = idle ? null : client;
    if (!silent) client.write(Buffer.concat(answer));
    if (this.owner !== client) return;
    if (client.closed && !silent) this.rollBack(client);
    this.idleTimer = setTimeout(() => client.terminateIdle(), IDLE_IN_TRANSACTION_MS);
  }

  private notify(message: Buffer): void {
    const channel = readText(message, CHANNEL_OFFSET);
    for (const client of this.clients) if (client.channels.has(channel)) client.write(message);
  }

  private async execute(data: Buffer): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await this.database.execProtocolRawStream(data, {
      // The bytes live in WASM memory, which the next call overwrites.
      onRawData: (bytes) => void chunks.push(Buffer.from(bytes)),
    });
    return Buffer.concat(chunks);
  }
}
