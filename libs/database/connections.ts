import type { Socket } from 'node:net';
import type { ClientBase, PoolConfig } from 'pg';

/**
 * So long a connection may be silent while it owes us an answer. The server itself gives up after five seconds; the
 * embedded one lets its clients wait for each other.
 */
const SILENT_MS = { server: 8000, embedded: 15_000 };
/** So much longer, once one was found silent, others of its pool that wait for an answer as well. */
const SUSPECT_MS = { server: 3000, embedded: 15_000 };
/** In which a connection is made. The embedded server takes no new ones while it runs a statement. */
const CONNECT_MS = { server: 2000, embedded: 10_000 };

/** What pg's clients have besides what its types tell. */
interface Inside {
  connection: { stream: Socket };
  /** False from the moment a statement is sent until its answer is complete. */
  readyForQuery: boolean;
  getTransactionStatus(): string | null;
}

const inside = (client: ClientBase): Inside => client as unknown as Inside;

/**
 * How every pool reaches the database. A connection that stays silent is given up, and with it those that lie idle
 * beside it: whatever cut it off has probably cut them off as well. It is never used again, since what it still
 * might say answers a question of somebody else.
 */
export function reaching(embedded: boolean): PoolConfig {
  const kind = embedded ? 'embedded' : 'server';
  const open = new Set<ClientBase>();
  const giveUp = (client: ClientBase): void => {
    const lost = Object.assign(new Error('The connection to the database is silent.'), { code: 'ETIMEDOUT' });
    inside(client).connection.stream.destroy(lost);
  };
  const giveUpSilent = (client: ClientBase): void => {
    giveUp(client);
    for (const other of open) {
      if (isIdle(inside(other))) giveUp(other);
      else if (other !== client) setTimeout(unlessHeard(other, giveUp), SUSPECT_MS[kind]).unref();
    }
  };
  return {
    connectionTimeoutMillis: CONNECT_MS[kind],
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    onConnect: (client) => {
      const { stream } = inside(client).connection;
      open.add(client);
      client.once('end', () => open.delete(client));
      // While nobody holds it or listens: an error without a listener would end the process.
      client.on('error', () => undefined);
      stream.setTimeout(SILENT_MS[kind]);
      // Not at once: after this process itself stood still, the answer may only not have been read yet.
      stream.on('timeout', () => setImmediate(unlessHeard(client, giveUpSilent)));
    },
  };
}

/** Does so to a connection that by then still owes its answer, and has not been heard of since now. */
function unlessHeard(client: ClientBase, giveUp: (client: ClientBase) => void): () => void {
  const { stream } = inside(client).connection;
  const heard = stream.bytesRead;
  return () => {
    const { readyForQuery } = inside(client);
    // Without a timeout it may take its time.
    if (stream.timeout && !stream.destroyed && !readyForQuery && stream.bytesRead === heard) giveUp(client);
  };
}

const isIdle = (client: Inside): boolean => client.readyForQuery && client.getTransactionStatus() === 'I';

/** Lets the connection take all the time it needs, as migrations do. @returns what ends that */
export function withoutHurry(client: ClientBase): () => void {
  const { stream } = inside(client).connection;
  const { timeout } = stream;
  stream.setTimeout(0);
  return () => void stream.setTimeout(timeout ?? 0);
}
