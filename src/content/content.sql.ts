import { fitting, placed, type Sql, sql } from '#libs/database';
import { groupVisible } from '../kernel/access/membership.sql';
import { authorColumns } from '../kernel/people/author.sql';
import type { ContentAccess, Look } from '../kernel/access/content.access';

/** Those groups of the item `c` whose existence the viewer may see. */
export const visibleGroups = ({ viewer, now }: Pick<Look, 'viewer' | 'now'>): Sql => sql`
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.position, g.id)
              from content_groups cg join groups g on g.id = cg."GroupId"
             where cg."ContentId" = c.id and ${groupVisible('g', viewer, now)}), '[]')`;

/**
 * Whether the item `c` is in a group, by a filter: only by one whose existence the viewer may see, so that it
 * tells no more than the item's `Groups` do.
 */
export const inGroup = (groupId: number | undefined, { viewer, now }: Look): Sql =>
  groupId === undefined
    ? sql`true`
    : sql`exists (
        select 1 from content_groups cg join groups g on g.id = cg."GroupId"
         where cg."ContentId" = c.id and cg."GroupId" = ${groupId} and ${groupVisible('g', viewer, now)})`;

/** What the viewer gets for the item's description; the text of what they may not open stays where it is. */
export const shownDescription = ({ locked }: Pick<ContentAccess, 'locked'>): Sql =>
  sql`case when ${locked} then c.teaser else c.description end as description`;

/** The columns of a `ContentRow`, over `contents c` joined with its author `users u`. */
export const contentColumns = (look: Look, access: ContentAccess): Sql => sql`
  c.id, c."PlatformId", c."UserId", c.title, c.slug, ${shownDescription(access)}, c.type, c.visibility, c."featuredImage",
  c.video, c."contentURI", c.options, c."chatEnabled", c.featured, c."publishedDate", c."expireDate",
  c."commentCount", c."viewCount", c."createdAt", c."updatedAt", ${authorColumns}, ${access.locked} as locked,
  ${visibleGroups(look)} as groups,
  coalesce((select json_agg(json_build_object('id', k.id, 'title', k.title) order by k.id)
              from content_keywords ck join keywords k on k.id = ck."KeywordId"
             where ck."ContentId" = c.id), '[]') as keywords`;

/** What the item `c` takes in an answer, about; a group or keyword counts 110 bytes, as in `bytes`. */
export const contentSize = ({ locked }: Pick<ContentAccess, 'locked'>): Sql => sql`(700 + case when ${locked}
  then octet_length(c.title) + octet_length(c.teaser) + coalesce(octet_length(c."featuredImage"), 0)
    + 110 * c."linkCount"
  else c.bytes end)`;

/** The first of `picked`, ids and sizes in their order, that fit into `most` bytes: these columns of `c` and its author `u`. */
export const firstFittingContents = (picked: Sql, most: number, columns: Sql): Sql => sql`
  select k.used, k.wanted, ${columns} from (${fitting(placed(picked), most)}) k
    join contents c on c.id = k.id join users u on u.id = c."UserId" order by k.place`;

/** Joins the counts by which contents `c` of the platform are ordered, as `k`. */
export const joinRanks = (platformId: number): Sql =>
  sql`join content_ranks k on k."ContentId" = c.id and k."PlatformId" = ${platformId}`;
