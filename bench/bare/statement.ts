import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ChatRepository } from '../../src/chat/chat.repository';
import type { ListCommentsQuery } from '../../src/chat/dto/list-comments.query';
import { ContentRepository } from '../../src/content/content.repository';
import type { ContentService } from '../../src/content/content.service';

export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** The statement with which the service itself reads a page of comments for an anonymous viewer. */
export async function pageStatement(query: ListCommentsQuery): Promise<Statement> {
  let recorded: Statement | undefined;
  const pool = {
    query: (statement: string | Statement, values: unknown[]) => {
      recorded = typeof statement === 'string' ? { text: statement, values } : statement;
      return Promise.resolve({ rows: [] });
    },
  };
  const db = new Database({ driver: { master: pool } } as never);
  const clock = new Clock();
  const contents = new ContentRepository(db, clock);
  const access: Pick<ContentService, 'isReadable'> = { isReadable: (...by) => contents.isReadable(...by) };
  await new ChatRepository(db, clock, access as ContentService).topLevelPage(null, query);
  if (!recorded) throw new Error('The repository ran no statement.');
  return recorded;
}
