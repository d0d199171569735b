/** The child process that runs PGlite: a WASM query blocks its thread, which must not be the app's. */
import type { PGlite } from '@electric-sql/pglite';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ClientConnection } from './client-connection';
import { openPersistentDatabase, openTemporaryDatabase } from './database';
import { databaseUrl, lockFile, removeUrl, writeUrl } from './files';
import type { HostEvent, HostRequest, OpenRequest } from './ipc';
import { acquireLock } from './lock';
import { SharedSession } from './shared-session';

const MAX_CONNECTIONS = 100; // PostgreSQL's default
const CLOSE_TIMEOUT_MS = 4_000;

interface Host {
  database: PGlite;
  session: SharedSession;
  server: Server;
  sockets: Set<Socket>;
  dataDir: string | null;
  releaseLock: () => void;
}

const parentPid = process.ppid;
let host: Host | null = null;
let ended = false;

function send(event: HostEvent): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    // The parent may be gone: its 'disconnect' ends this process in order.
    else process.send(event, undefined, undefined, () => resolve());
  });
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function open(request: OpenRequest): Promise<void> {
  const { dataDir, template, password } = request;
  const releaseLock = dataDir === null ? () => undefined : await acquireLock(lockFile(dataDir));
  if (!releaseLock) {
    await send({ type: 'busy' });
    process.exit(0);
  }
  try {
    const database = await (dataDir === null
      ? openTemporaryDatabase(template)
      : openPersistentDatabase(dataDir));
    const session = new SharedSession(database);
    const greeting = await session.greeting();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      // A parent that was killed may not have been noticed yet: nobody should join a host about to end.
      if (ended || process.ppid !== parentPid) {
        socket.destroy();
        return;
      }
      const connection = new ClientConnection(socket, session, { password, greeting });
      if (sockets.size >= MAX_CONNECTIONS) connection.fail('53300', 'sorry, too many clients already');
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const port = await listen(server, request.port);
    host = { database, session, server, sockets, dataDir, releaseLock };
    if (ended) {
      await close(host);
      return;
    }
    if (dataDir !== null) writeUrl(dataDir, databaseUrl(port, password));
    await send({ type: 'ready', port });
  } catch (error) {
    releaseLock();
    await send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

async function close({ database, session, server, sockets, dataDir, releaseLock }: Host): Promise<void> {
  if (dataDir === null) process.exit(0);
  removeUrl(dataDir);
  server.close();
  for (const socket of sockets) socket.destroy();
  // Their open transaction is rolled back on the next turn of the event loop.
  await session.whenIdle(async () => {
    await database.exec('CHECKPOINT');
    await database.close();
  });
  releaseLock();
  process.exit(0);
}

async function end(): Promise<void> {
  if (ended) return;
  ended = true;
  // Like a crash, which the write-ahead log covers: better than a host that nobody can get rid of.
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
  // While the database is still being opened, open() sees the flag and closes it.
  if (host) await close(host);
}

async function dump(file: string): Promise<void> {
  const { database, session } = host ?? {};
  try {
    if (!database || !session) throw new Error('the database is not open');
    const tar = await session.whenIdle(async () => {
      await database.exec('CHECKPOINT');
      return database.dumpDataDir('none');
    });
    await writeFile(file, Buffer.from(await tar.arrayBuffer()), { mode: 0o600 });
    await send({ type: 'dumped', file, error: null });
  } catch (error) {
    await send({ type: 'dumped', file, error: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (request: HostRequest) => {
  if (request.type === 'open') void open(request);
  else if (request.type === 'ping') void send({ type: 'pong' });
  else if (request.type === 'dump') void dump(request.file);
  else void end();
});
process.on('disconnect', () => void end());
// Ctrl-C, a closed terminal and service managers reach the whole process group; the parent ends this process in order.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
