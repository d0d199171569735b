import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';

interface Found {
  rows: never[];
  rowCount: number | null;
}

/**
 * The pool that BullMQ is given when a pooler stands before the server. Each statement names the schema in a
 * transaction of its own, since the next may run on another connection. Nobody listens: workers poll.
 */
export class SharedConnections {
  constructor(
    private readonly pool: Pool,
    private readonly schema: string,
  ) {}

  readonly query = async (text: string, values?: readonly unknown[]): Promise<Found> => {
    if (/^listen /im.test(text)) return { rows: [], rowCount: 0 };
    const client = await this.pool.connect();
    let broken = true;
    try {
      await client.query(`begin; set local search_path to ${this.schema}`);
      try {
        const found = await client.query(text, values && [...values]);
        await client.query('commit');
        broken = false;
        return { rows: found.rows as never[], rowCount: found.rowCount };
      } catch (error) {
        await client.query('rollback');
        broken = false;
        throw error;
      }
    } finally {
      client.release(broken);
    }
  };

  /** What takes the place of a connection to listen on: it hears nothing. */
  connect(): Promise<SharedConnection> {
    return Promise.resolve(new SharedConnection(this.query));
  }

  on(event: 'error' | 'connect', listener: (...about: never[]) => void): this {
    this.pool.on(event as 'error', listener as never);
    return this;
  }

  end(): Promise<void> {
    return this.pool.end();
  }
}

class SharedConnection extends EventEmitter {
  constructor(readonly query: SharedConnections['query']) {
    super();
  }

  release(): void {}
}
