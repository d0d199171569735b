import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** One core for the server and another for the load, so that neither takes from the other. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';

const PINS = process.platform === 'linux' && availableParallelism() > 1;
/** Those of `npm start`. */
const FLAGS = ['--max-semi-space-size=32', '--max-old-space-size=1024'];
const GIVE_UP_MS = 60_000;
const POLL_MS = 5;

/** A server under measurement, as a process of its own. */
export interface Running {
  url: string;
  pid: number;
  /** Milliseconds from its start to its first good answer. */
  startedIn: number;
  stop(): Promise<void>;
}

/** The command that runs `args` on one core, where the system can do that. */
export const onCore = (core: string, ...args: string[]): [command: string, args: string[]] =>
  PINS ? ['taskset', ['-c', core, ...args]] : [args[0] ?? '', args.slice(1)];

/** Starts a Node program, on one core if it is given, and waits until it answers `readyPath`. */
export async function startServer(
  program: string[],
  env: Record<string, string>,
  readyPath: string,
  core?: string,
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  // A file, as in production: a terminal or an unread pipe would slow the server down.
  const log = openSync(join(directory, 'server.log'), 'w');
  const words = [process.execPath, ...FLAGS, ...program];
  const [command, args] = core === undefined ? [words[0] ?? '', words.slice(1)] : onCore(core, ...words);
  const started = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: directory,
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      ...env,
      PORT: String(port),
    },
  });
  await answers(`${url}${readyPath}`, child, join(directory, 'server.log'));
  return { url, pid: child.pid ?? 0, startedIn: performance.now() - started, stop: () => end(child) };
}

async function answers(url: string, child: ChildProcess, log: string): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      throw new Error(`The server does not answer:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    await wait(POLL_MS);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Resident memory in MiB, now and at its highest. */
export function memory(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024);
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** The processes that a process has started. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
