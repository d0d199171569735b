import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

interface Pool {
  on(event: 'connect', listener: (client: PoolClient) => void): void;
  _clients: PoolClient[];
}
type Query = (...parameters: unknown[]) => unknown;

const counters = new WeakMap<DataSource, string[]>();

/**
 * The statements that the work sends to the database. Transaction control and settings do not count, nor what the
 * process asks by itself.
 */
export async function queriesOf(dataSource: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const seen = counters.get(dataSource) ?? watch(dataSource);
  const before = seen.length;
  await work();
  return seen
    .slice(before)
    .filter((text) => !/^\s*(start|begin|commit|rollback|select set_config|\/\* by itself)/i.test(text));
}

function watch(dataSource: DataSource): string[] {
  const seen: string[] = [];
  counters.set(dataSource, seen);
  // A connection that is being made is among the pool's, and is told of once it is there.
  const recorded = new WeakSet<PoolClient>();
  const record = (client: PoolClient): void => {
    if (recorded.has(client)) return;
    recorded.add(client);
    const query: Query = client.query.bind(client);
    (client as { query: unknown }).query = (...parameters: unknown[]) => {
      const [first] = parameters;
      seen.push(typeof first === 'string' ? first : ((first as { text?: string }).text ?? ''));
      return query(...parameters);
    };
  };
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  pool._clients.forEach(record);
  pool.on('connect', record);
  return seen;
}
