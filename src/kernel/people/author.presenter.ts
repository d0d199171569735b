import type { Role } from '../callers/roles';
import type { AuthorDto } from './author.dto';

export interface AuthorRow {
  authorId: number;
  authorName: string;
  authorPhotoUrl: string | null;
  authorRole: Role;
}

/** The author of something, from the row of a list; a deleted one is called `Deleted user` in the database. */
export const presentAuthor = (row: AuthorRow): AuthorDto => ({
  id: row.authorId,
  name: row.authorName,
  photoUrl: row.authorPhotoUrl,
  role: row.authorRole,
});
