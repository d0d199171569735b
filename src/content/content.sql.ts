import { type Sql, sql } from '#libs/database';
import { groupVisible } from '../groups/membership.sql';
import type { ContentAccess, Look } from './content.access';

/** What the author's row `u` gives to a `ContentRow`. */
export const authorColumns = sql`u.id as "authorId", u.name as "authorName", u."photoUrl" as "authorPhotoUrl",
  u.role as "authorRole"`;

/** The columns of a `ContentRow`, over `contents c` joined with its author `users u`. */
export const contentColumns = ({ viewer, now }: Look, { locked }: ContentAccess): Sql => sql`
  c.id, c."PlatformId", c."UserId", c.title, c.slug, c.description, c.type, c.visibility, c."featuredImage",
  c.video, c."contentURI", c.options, c."chatEnabled", c.featured, c."publishedDate", c."expireDate",
  c."commentCount", c."viewCount", c."createdAt", c."updatedAt", ${authorColumns}, ${locked} as locked,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.position, g.id)
              from content_groups cg join groups g on g.id = cg."GroupId"
             where cg."ContentId" = c.id and ${groupVisible('g', viewer, now)}), '[]') as groups,
  coalesce((select json_agg(json_build_object('id', k.id, 'title', k.title) order by k.id)
              from content_keywords ck join keywords k on k.id = ck."KeywordId"
             where ck."ContentId" = c.id), '[]') as keywords`;

/** Joins the counts by which contents `c` of the platform are ordered, as `k`. */
export const joinRanks = (platformId: number): Sql =>
  sql`join content_ranks k on k."ContentId" = c.id and k."PlatformId" = ${platformId}`;
