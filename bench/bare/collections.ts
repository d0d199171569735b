/** What a collection by its slug costs at the least: Fastify and pg, the service's own statement, the same JSON. */
import fastify from 'fastify';
import { Pool } from 'pg';
import { type CollectionRow, presentPublicCollection } from '../../src/collections/collection.presenter';
import type { ContentRow } from '../../src/content/content.presenter';
import { collectionStatement } from './statement';

// Values that cannot stand for anything else, to find out where they go in the statement.
const PLATFORM = 987_654_321;
const SLUG = 'a-slug-that-nothing-has';
const LIMIT = 7_777_777;

async function main(): Promise<void> {
  const { values: marked, ...statement } = await collectionStatement(PLATFORM, SLUG, LIMIT);
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = fastify();
  app.get<{ Params: { slug: string; platformId: string }; Querystring: { limit?: string } }>(
    '/api/collection-by-slug/:slug/:platformId',
    async ({ params, query }, reply) => {
      const now = new Date();
      const values = marked.map((value) => {
        if (value === PLATFORM) return Number(params.platformId);
        if (value === SLUG) return params.slug;
        if (value === LIMIT) return Number(query.limit ?? 50);
        return value instanceof Date ? now : value;
      });
      const { rows } = await pool.query<ContentRow & { collection: CollectionRow; contentTotal: number }>({
        ...statement,
        values,
      });
      const [head] = rows;
      if (!head) return reply.status(404).send({});
      const { collection, contentTotal } = head;
      return presentPublicCollection({ collection, contentTotal, contents: rows });
    },
  );
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  process.once('SIGTERM', () => void app.close().then(() => pool.end()));
}

void main();
