import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import type { PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import sql, { join, type Sql } from 'sql-template-tag';
import { ifWanted, withoutDeadline } from '#libs/deadline';
import { isForgottenStatement, isSerializationFailure } from './database-errors';
import { type Fitted, type Sized, sizedOf } from './fitting';
import { type Effect, Gathering, mayWrite, type Transaction } from './gathering';
import { beginningOf } from './open-database';
import { StatementNames } from './statement-names';

interface Queryable {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<QueryResult>;
}

/** The rows of one page of a list, and how many there are on all pages together. */
export interface PageRows<Row> {
  rows: Row[];
  total: number;
}

/** A page that may have less than was asked for. */
export type SizedRows<Row> = PageRows<Row> & Sized<Row>;

const ATTEMPTS = 3;

/** Runs SQL on the pool, or on the transaction that surrounds the call. */
@Injectable()
export class Database {
  private readonly logger = new Logger(Database.name);
  private readonly current = new AsyncLocalStorage<Transaction | Gathering>();
  private readonly running = new Set<Promise<void>>();
  private readonly names = new StatementNames();

  constructor(readonly dataSource: DataSource) {}

  /** TypeORM's manager, inside the surrounding transaction if there is one. */
  get manager(): EntityManager {
    const { surrounding } = this;
    const own = surrounding instanceof Gathering ? surrounding.manager : surrounding?.runner.manager;
    return own ?? this.dataSource.manager;
  }

  /** The rows that a statement returns, as plain objects. */
  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.run(statement)).rows as Row[];
  }

  /**
   * As `rows`, parsed and planned once for each connection: for hot reads, whose planning costs more than their
   * running. Their text must come in few variants: connections keep each of the first hundred, and the rest runs
   * as `rows` does.
   */
  async preparedRows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.run(statement, true)).rows as Row[];
  }

  /** As `rows`, under settings of the server that are for this statement alone, such as its time limit. */
  rowsUnder<Row>(settings: Record<string, string>, statement: Sql): Promise<Row[]> {
    const set = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
    return this.transaction(async () => {
      await this.execute(sql`select ${join(set)}`);
      return this.rows<Row>(statement);
    });
  }

  /** The only row that a statement returns, or undefined. */
  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0];
  }

  /** @param from the `from` and `where` of the list, whose rows are counted without the page's limit */
  async page<Row>(rows: Sql, from: Sql): Promise<PageRows<Row>> {
    const page = await this.rows<Row>(rows);
    const count = await this.row<{ total: number }>(sql`select count(*)::int as total ${from}`);
    return { rows: page, total: count?.total ?? 0 };
  }

  /** As `page`, of rows that were made to fit. */
  async sizedPage<Row>(rows: Sql, from: Sql): Promise<SizedRows<Row>> {
    const page = await this.page<Row & Fitted>(rows, from);
    return { ...sizedOf<Row>(page.rows), total: page.total };
  }

  /** How many rows a statement changed. */
  async execute(statement: Sql): Promise<number> {
    return (await this.run(statement)).rowCount ?? 0;
  }

  /**
   * Runs `work` in one transaction; within another it joins that one. A serialization failure or deadlock
   * runs `work` again, at most three times in all, so it must not act on the world: use `afterCommit`.
   */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    const { surrounding } = this;
    if (surrounding && !(surrounding instanceof Gathering)) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        if (!surrounding) return await this.attempt(work);
        return await surrounding.savepoint((transaction) => this.current.run(transaction, work));
      } catch (error) {
        const again = isSerializationFailure(error) || isForgottenStatement(error);
        if (attempt === ATTEMPTS || !again) throw error;
      }
    }
  }

  /**
   * Runs `work` so that all of its transactions become durable together, when it has returned, or none does. Each
   * stores and fails as it would alone, also as seen by `work`. What `work` does before the first of them, such as
   * hashing a password, holds no connection.
   * @param opening is done before anything else in the transaction that holds them all; when it fails, each of
   * them fails with its error
   */
  async gathered<Result>(opening: () => Promise<void>, work: () => Promise<Result>): Promise<Result> {
    const gathering = new Gathering(async () => {
      const transaction = await this.begin();
      try {
        await this.current.run(transaction, opening);
        return transaction;
      } catch (error) {
        await rollBack(transaction);
        throw error;
      }
    });
    let result: Result;
    try {
      result = await this.current.run(gathering, work);
    } catch (error) {
      const transaction = await gathering.end();
      if (transaction) await rollBack(transaction);
      throw error;
    }
    const transaction = await gathering.end();
    if (transaction) {
      // What one of them set for itself must not decide how durable all of them are.
      const settle = (): Promise<unknown> =>
        transaction.client.query('set local synchronous_commit to default');
      await this.finish(transaction, settle);
    }
    this.startAll(gathering.effects);
    return result;
  }

  /** Runs `effect` once the surrounding transaction is durable, or at once without one. Its failure is logged. */
  afterCommit(effect: Effect): void {
    const { surrounding } = this;
    if (surrounding) surrounding.effects.push(effect);
    else this.start(effect);
  }

  /** Resolves when the effects that have started are done: for shutdown and for tests. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private get surrounding(): Transaction | Gathering | undefined {
    const found = this.current.getStore();
    return found instanceof Gathering && found.isOver ? undefined : found;
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const transaction = await this.begin();
    const result = await this.finish(transaction, () => this.current.run(transaction, work));
    this.startAll(transaction.effects);
    return result;
  }

  private async begin(): Promise<Transaction> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const settings = beginningOf(this.dataSource);
      if (settings) await client.query(settings);
      return { runner, client, effects: [] };
    } catch (error) {
      await rollBack({ runner });
      throw error;
    }
  }

  /** Commits what `work` has done, or takes all back when it fails. */
  private async finish<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      ifWanted();
      await commit(transaction.client);
      await transaction.runner.release();
      return result;
    } catch (error) {
      await rollBack(transaction);
      throw error;
    }
  }

  /** @throws the reason why nobody wants the statement any more; the transaction that it belongs to rolls back */
  private run(statement: Sql, prepared = false): Promise<QueryResult> {
    ifWanted();
    const { surrounding } = this;
    const { text, values } = statement;
    if (surrounding instanceof Gathering && (surrounding.isOpen || mayWrite(text))) {
      return this.transaction(() => this.run(statement, prepared));
    }
    const client = surrounding instanceof Gathering ? undefined : surrounding?.client;
    const target: Queryable = client ?? this.pool;
    const name = prepared ? this.names.of(text) : undefined;
    const result = target.query({ name, text, values });
    return name === undefined
      ? result
      : result.catch((error: unknown) => {
          if (!isForgottenStatement(error)) throw error;
          if (this.names.stop())
            this.logger.warn('A pooler loses prepared statements: from now on none are made.');
          // It was refused before it ran. A transaction is broken by that, and runs again as a whole.
          if (client) throw error;
          return target.query({ text, values });
        });
  }

  /** The pool itself, for libraries that keep something of their own in the database. */
  get pool(): Queryable {
    return (this.dataSource.driver as unknown as { master: Queryable }).master;
  }

  private startAll(effects: Effect[]): void {
    for (const effect of effects) this.current.exit(() => this.start(effect));
  }

  private start(effect: Effect): void {
    const done = withoutDeadline(() => Promise.resolve().then(effect))
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }
}

/**
 * Of a transaction in which a statement failed, and whose error was caught on the way, nothing is stored: the
 * server answers its COMMIT with a rollback and no error.
 */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT')
    throw new Error('The transaction was rolled back: one of its statements had failed.');
}

async function rollBack({ runner }: Pick<Transaction, 'runner'>): Promise<void> {
  // A broken connection cannot roll back, and the server has done so already.
  if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
  await runner.release();
}
