/** What a search costs at the least: Fastify and pg, the service's own statement, the same JSON. */
import fastify from 'fastify';
import { Pool } from 'pg';
import { SEARCH_SETTINGS, searchStatement } from '../../src/search/content-search.sql';
import { type FoundContentRow, presentFound } from '../../src/search/found-content.presenter';

interface Statement {
  text: string;
  values: unknown[];
}

async function main(): Promise<void> {
  const options = Object.entries(SEARCH_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new Pool({
    connectionString: process.env.DATABASE_URL,
    max: 10,
    options: options.join(' '),
  });
  const app = fastify();
  // Made once for each query: what is measured is running it.
  const made = new Map<string, Statement>();
  app.get<{ Querystring: { q: string; PlatformId?: string } }>(
    '/api/content/search',
    async ({ query: { q, PlatformId } }) => {
      const now = new Date();
      const key = `${PlatformId} ${q}`;
      let statement = made.get(key);
      if (!statement) {
        const platformId = PlatformId === undefined ? null : Number(PlatformId);
        const sql = searchStatement({ viewer: null, platformId, q, limit: 20, now });
        if (!sql) throw new Error(`Nothing to search for in ${q}`);
        made.set(key, (statement = { text: sql.text, values: sql.values }));
      }
      const values = statement.values.map((value) => (value instanceof Date ? now : value));
      const { rows } = await pool.query<FoundContentRow>({ text: statement.text, values });
      return { items: rows.map(presentFound) };
    },
  );
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  process.once('SIGTERM', () => void app.close().then(() => pool.end()));
}

void main();
