import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { HostEvent, HostRequest, OpenRequest } from './ipc';

const OPEN_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const PING_MS = 1_000;
const DEFAULT_MAX_BLOCKED_MS = 15_000;

export interface WatchOptions {
  /** The host ended without being asked to, or could not be restarted. */
  onExit?: (error: Error) => void;
  /** A query that runs longer gets the host killed: PGlite has no statement timeout. */
  maxBlockedMs?: number;
}

/** The parent's side of a host: starts it, watches it, stops it. */
export class HostProcess {
  port = 0;
  private child: ChildProcess | null = null;
  private stopping = false;
  private missedPings = 0;
  private watch: NodeJS.Timeout | undefined;
  private opening: Promise<boolean> | null = null;

  constructor(
    private readonly request: Omit<OpenRequest, 'type' | 'port'>,
    private readonly options: WatchOptions,
  ) {}

  /** Resolves to false if another host holds the data directory. */
  open(): Promise<boolean> {
    this.opening = this.launch();
    return this.opening;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.watch);
    await this.opening?.catch(() => undefined);
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.send({ type: 'stop' });
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS - 500);
    await exited;
    clearTimeout(killer);
  }

  async dump(file: string): Promise<void> {
    const child = this.child;
    if (!child) throw new Error('the embedded database has ended');
    await new Promise<void>((resolve, reject) => {
      const onExit = (): void => reject(new Error('the embedded database has ended'));
      const onMessage = (event: HostEvent): void => {
        if (event.type !== 'dumped' || event.file !== file) return;
        child.off('exit', onExit).off('message', onMessage);
        if (event.error === null) resolve();
        else reject(new Error(event.error));
      };
      child.on('exit', onExit).on('message', onMessage);
      this.send({ type: 'dump', file });
    });
  }

  private async launch(): Promise<boolean> {
    // execArgv: Jest and debuggers start this process with flags that are not meant for the host.
    const child = fork(join(__dirname, 'host.js'), [], {
      execPath: process.execPath,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    // Sending to a child that has just died; its 'exit' is what counts.
    child.on('error', () => undefined);
    this.send({ type: 'open', port: this.port, ...this.request });
    const answer = await firstAnswer(child);
    if (answer.type === 'busy') return false;
    if (answer.type !== 'ready') {
      throw new Error(answer.type === 'failed' ? answer.message : 'unexpected answer of the host');
    }
    this.port = answer.port;
    this.startWatch(child);
    return true;
  }

  private startWatch(child: ChildProcess): void {
    const maxMissed = (this.options.maxBlockedMs ?? DEFAULT_MAX_BLOCKED_MS) / PING_MS;
    let blocked = false;
    this.missedPings = 0;
    child.on('message', (event: HostEvent) => {
      if (event.type === 'pong') this.missedPings = 0;
    });
    // Counted in ticks, not by the clock: after a suspend both processes need a moment.
    this.watch = setInterval(() => {
      if (this.missedPings++ < maxMissed) {
        this.send({ type: 'ping' });
        return;
      }
      blocked = true;
      clearInterval(this.watch);
      child.kill('SIGKILL');
    }, PING_MS);
    child.once('exit', (code, signal) => {
      clearInterval(this.watch);
      if (this.stopping) return;
      // What was only in memory is lost with the process: nothing to restart.
      if (blocked && this.request.dataDir !== null) this.restart();
      else this.reportExit(new Error(`the embedded database ended unexpectedly (${signal ?? code})`));
    });
  }

  private restart(): void {
    process.stderr.write('embedded postgres: a query ran too long, restarting the database\n');
    // The same port and password: the pools of all processes reconnect by themselves.
    this.open().then(
      (opened) => {
        if (!opened) this.reportExit(new Error('another process took over the embedded database'));
      },
      (error: Error) => this.reportExit(error),
    );
  }

  private reportExit(error: Error): void {
    this.child = null;
    this.options.onExit?.(error);
  }

  private send(request: HostRequest): void {
    if (this.child?.connected) this.child.send(request);
  }
}

function firstAnswer(child: ChildProcess): Promise<HostEvent> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('the embedded database did not start in time'));
    }, OPEN_TIMEOUT_MS);
    const onExit = (code: number | null, signal: string | null): void => {
      clearTimeout(timer);
      reject(new Error(`the embedded database ended while starting (${signal ?? code})`));
    };
    child.once('exit', onExit);
    child.once('message', (event: HostEvent) => {
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(event);
    });
  });
}
