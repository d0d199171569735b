import { sql } from '#libs/database';

/** What the author's row `u` gives to an `AuthorRow`. */
export const authorColumns = sql`u.id as "authorId", u.name as "authorName", u."photoUrl" as "authorPhotoUrl",
  u.role as "authorRole"`;
