import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';

export type Effect = () => void | Promise<void>;
export interface Transaction {
  runner: QueryRunner;
  client: PoolClient;
  effects: Effect[];
}

const WRITES = /\b(?:insert|update|delete|merge)\b/i;

/** Whether a statement may change something; one that only looks as if it did is taken for one that does. */
export const mayWrite = (text: string): boolean => WRITES.test(text);

/** Several transactions that become durable together: each is a savepoint of the one that holds them all. */
export class Gathering {
  readonly effects: Effect[] = [];
  /** Once its work is over, what is left of it runs as if there had been none. */
  isOver = false;
  private opening?: Promise<Transaction>;
  private opened?: Transaction;
  private last: Promise<unknown> = Promise.resolve();

  /** @param open begins the transaction that holds the others; called when the first of them begins */
  constructor(private readonly open: () => Promise<Transaction>) {}

  /** From then on all is done in it, so that what was written is seen. */
  get isOpen(): boolean {
    return this.opened !== undefined;
  }

  get manager(): EntityManager | undefined {
    return this.opened?.runner.manager;
  }

  /** Runs `work` under a savepoint. One after the other: they share a connection. */
  savepoint<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const done = this.last.then(() => this.underSavepoint(work));
    this.last = done.catch(() => undefined);
    return done;
  }

  /** The transaction that holds the others, if one of them began: nothing more will be done in it. */
  async end(): Promise<Transaction | undefined> {
    this.isOver = true;
    await this.last;
    return this.opened;
  }

  private async underSavepoint<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    this.opening ??= this.open();
    const { runner, client } = (this.opened = await this.opening);
    const effects: Effect[] = [];
    await client.query('savepoint gathered');
    try {
      const result = await work({ runner, client, effects });
      await client.query('release savepoint gathered');
      this.effects.push(...effects);
      return result;
    } catch (error) {
      // A broken connection cannot, and the server has done so already.
      await client.query('rollback to savepoint gathered').catch(() => undefined);
      throw error;
    }
  }
}
