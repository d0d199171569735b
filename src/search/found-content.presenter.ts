import type { ContentRow } from '../content/content.presenter';
import type { FoundContentDto } from './dto/found-contents.dto';

export type FoundContentRow = Pick<
  ContentRow,
  | 'id'
  | 'title'
  | 'description'
  | 'type'
  | 'visibility'
  | 'authorId'
  | 'authorName'
  | 'createdAt'
  | 'updatedAt'
  | 'locked'
>;

export const presentFound = (row: FoundContentRow): FoundContentDto => ({
  id: row.id,
  title: row.title,
  description: row.description,
  type: row.type,
  visibility: row.visibility,
  author: { id: row.authorId, name: row.authorName },
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
