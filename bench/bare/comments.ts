/**
 * What the list of comments costs at the least: Fastify and pg, the service's own statement, the same JSON.
 * No guards, validation, headers, logs or metrics.
 */
import fastify from 'fastify';
import { Pool } from 'pg';
import { type CommentRow, presentComment } from '../../src/chat/comment.presenter';
import { pageStatement } from './statement';

// Values that cannot stand for anything else, to find out where they go in the statement.
const CONTENT = 987_654_321;
const PAGE = 7_777_777;
const SIZE = 25;

async function main(): Promise<void> {
  const query = { contentId: CONTENT, currentPage: PAGE, itemsPerPage: SIZE, sort: 'createdAt:asc' };
  const { values: marked, ...statement } = await pageStatement(query);
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = fastify();
  app.get<{ Querystring: { contentId: string; currentPage?: string } }>(
    '/api/chat',
    async ({ query }, reply) => {
      const contentId = Number(query.contentId);
      const currentPage = Number(query.currentPage ?? 1);
      const now = new Date();
      const values = marked.map((value) => {
        if (value === CONTENT) return contentId;
        if (value === (PAGE - 1) * SIZE) return (currentPage - 1) * SIZE;
        return value instanceof Date ? now : value;
      });
      const { rows } = await pool.query<CommentRow & { total: number }>({ ...statement, values });
      const [head] = rows;
      if (!head) return reply.status(404).send({});
      return {
        items: rows.filter(({ id }) => id !== null).map(presentComment),
        totalItems: head.total,
        currentPage,
        itemsPerPage: SIZE,
        totalPages: Math.ceil(head.total / SIZE),
      };
    },
  );
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  process.once('SIGTERM', () => void app.close().then(() => pool.end()));
}

void main();
