import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { Database, type OpenDatabase } from '#libs/database';
import { CHANNEL, EventsRepository } from './events.repository';
import { WakeUp } from './wake-up';

export const REACHED = Symbol('how the database is reached');
export type Reached = Pick<OpenDatabase, 'url' | 'embedded' | 'pooled'>;

/** What is heard by nobody is looked for this often: everything, or what a notification was lost of. */
const POLL_MS = { deaf: 1000, listening: 5000 };
const AGAIN_AFTER_MS = 1000;

/**
 * Tells this process that events were numbered: at once by its own relay, and by those of other processes over a
 * connection that listens. The embedded server and poolers have none: there the others are looked for.
 */
@Injectable()
export class Notifications extends WakeUp implements OnApplicationShutdown {
  readonly pollMs: number;
  private readonly logger = new Logger(Notifications.name);
  private readonly listens: boolean;
  private users = 0;
  private client?: Client;

  constructor(
    private readonly db: Database,
    private readonly events: EventsRepository,
    @Inject(REACHED) private readonly reached: Reached,
  ) {
    super();
    this.listens = !reached.embedded && !reached.pooled;
    this.pollMs = this.listens ? POLL_MS.listening : POLL_MS.deaf;
  }

  /** To be called in the transaction that numbers them. */
  async announce(): Promise<void> {
    if (!this.reached.embedded) await this.events.notify();
    this.db.afterCommit(() => this.now());
  }

  /** Listens as long as anybody uses it. @returns what ends that */
  use(): () => void {
    if (this.users++ === 0) this.listen();
    return () => {
      if (--this.users === 0) this.close();
    };
  }

  onApplicationShutdown(): void {
    this.users = 0;
    this.close();
  }

  private listen(): void {
    if (!this.listens || this.users === 0 || this.client) return;
    const { url } = this.reached;
    const client = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 2000 });
    this.client = client;
    const lost = (error?: Error): void => {
      if (this.client !== client) return;
      this.close();
      this.logger.warn({
        msg: 'Events of other processes are looked for until they are heard of',
        err: error,
      });
      setTimeout(() => this.listen(), AGAIN_AFTER_MS).unref();
    };
    client.on('notification', () => this.now());
    client.on('error', lost);
    client.on('end', () => lost());
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      // What was announced until now was not heard.
      .then(() => this.now(), lost);
  }

  private close(): void {
    const { client } = this;
    this.client = undefined;
    client?.end().catch(() => undefined);
  }
}
