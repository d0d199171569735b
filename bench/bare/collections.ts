/** What a collection by its slug costs at the least: Fastify and pg, the service's own statement, the same items. */
import fastify from 'fastify';
import { Pool } from 'pg';
import { presentCard, type ContentRow } from '../../src/content/content.presenter';
import { contentsStatement } from './statement';

// Values that cannot stand for anything else, to find out where they go in the statement.
const COLLECTION = 987_654_321;
const LIMIT = 7_777_777;

async function main(): Promise<void> {
  const { values: marked, ...statement } = await contentsStatement(COLLECTION, LIMIT);
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = fastify();
  app.get<{ Params: { slug: string; platformId: string }; Querystring: { limit?: string } }>(
    '/api/collection-by-slug/:slug/:platformId',
    async ({ params, query }, reply) => {
      const found = await pool.query<{ id: number; name: string }>(
        'select * from collections where "PlatformId" = $1 and slug = $2',
        [Number(params.platformId), params.slug],
      );
      const [collection] = found.rows;
      if (!collection) return reply.status(404).send({});
      const now = new Date();
      const values = marked.map((value) => {
        if (value === LIMIT) return Number(query.limit ?? 50);
        if (Array.isArray(value)) return [collection.id];
        return value instanceof Date ? now : value;
      });
      const { rows } = await pool.query<ContentRow>({ ...statement, values });
      return { ...collection, Contents: rows.map(presentCard) };
    },
  );
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  process.once('SIGTERM', () => void app.close().then(() => pool.end()));
}

void main();
