import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '#libs/testing';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** How long it took since the process started, or since it was last sent a signal. */
  ms: number;
}

/** One of the service's processes, as an operator would start it. */
export class ServiceProcess {
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private since = Date.now();

  constructor(
    entry: 'main' | 'worker',
    env: Record<string, string>,
    readonly dataDir = mkdtempSync(join(tmpdir(), 'community-process-')),
    flags: string[] = [],
  ) {
    this.child = spawn(process.execPath, [...flags, join(__dirname, `../../src/${entry}.js`)], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        RATE_LIMITS: 'off',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
        PORT: '0',
        DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exited = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      ms: Date.now() - this.since,
    }));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves once the process has said so. */
  async said(text: RegExp): Promise<RegExpExecArray> {
    return eventually(() => {
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.stdout}${this.stderr}`);
      return text.exec(this.stdout);
    }, 25_000);
  }

  /** The base URL, once the API listens. */
  async url(): Promise<string> {
    return (await this.said(/Listening on (http:[^"]+)/))[1] ?? '';
  }

  signal(signal: NodeJS.Signals): void {
    this.since = Date.now();
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.signal(signal);
    return this.exited;
  }
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
