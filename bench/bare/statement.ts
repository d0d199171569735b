import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ChatRepository } from '../../src/chat/chat.repository';
import type { ListCommentsQuery } from '../../src/chat/dto/list-comments.query';
import { CollectionReadsRepository } from '../../src/collections/collection-reads.repository';
import { ContentRepository } from '../../src/content/content.repository';
import type { ContentService } from '../../src/content/content.service';

export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** The statement with which the service itself reads a page of comments for an anonymous viewer. */
export const pageStatement = (query: ListCommentsQuery): Promise<Statement> =>
  recorded((db, clock) => {
    const contents = new ContentRepository(db, clock);
    const access: Pick<ContentService, 'isReadable'> = { isReadable: (...by) => contents.isReadable(...by) };
    return new ChatRepository(db, clock, access as ContentService).topLevelPage(null, query);
  });

/** The statement with which the service itself reads a collection and what visitors find in it. */
export const collectionStatement = (platformId: number, slug: string, limit: number): Promise<Statement> =>
  recorded((db, clock) =>
    new CollectionReadsRepository(db, clock).open(null, platformId, { slug }, 2 ** 21, limit),
  );

async function recorded(read: (db: Database, clock: Clock) => Promise<unknown>): Promise<Statement> {
  let statement: Statement | undefined;
  const pool = {
    query: (given: string | Statement, values: unknown[]) => {
      statement = typeof given === 'string' ? { text: given, values } : given;
      return Promise.resolve({ rows: [] });
    },
  };
  await read(new Database({ driver: { master: pool } } as never), new Clock());
  if (!statement) throw new Error('The repository ran no statement.');
  return statement;
}
