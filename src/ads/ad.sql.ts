import { raw, type Sql, sql } from '#libs/database';
import type { Viewer } from '../kernel/callers/caller';

/** What visitors see of the ad `a`: the columns of a `PublicAdRow`. */
export const publicAdColumns = sql`
  a.id, a.title, a.body, a."imageUrl", a."linkUrl", a."callToAction", a.placement, a.priority`;

/** The columns of an `AdRow`, over `ads a`. */
export const adColumns = sql`${publicAdColumns},
  a."PlatformId", a."UserId", a.roles, a."excludeRoles", a."startDate", a."endDate", a.status, a.impressions,
  a.clicks, a."createdAt", a."updatedAt",
  array(select p."CollectionId" from ad_collections p where p."AdId" = a.id order by 1) as "CollectionIds"`;

/** What the ad `a` takes in an answer at most: quotes and line ends of its text are escaped. */
export const AD_SIZE = sql`(2 * coalesce(octet_length(a.body), 0) + octet_length(a.title) + octet_length(a."linkUrl")
  + coalesce(octet_length(a."imageUrl"), 0) + coalesce(octet_length(a."callToAction"), 0) + 200)`;

/** The order in which ads compete for a place. */
export const AD_ORDER = raw('a.priority desc, a.id');

/** Whether the ad `a` runs now for the viewer; at both of its instants it does. A visitor has no role. */
export function adRuns(viewer: Viewer, now: Date): Sql {
  const shown = viewer
    ? sql`(a.roles = '{}' or ${viewer.role} = any(a.roles)) and ${viewer.role} <> all(a."excludeRoles")`
    : sql`a.roles = '{}'`;
  return sql`(a.status = 'active' and (a."startDate" is null or a."startDate" <= ${now})
    and (a."endDate" is null or a."endDate" >= ${now}) and ${shown})`;
}

/** Whether the ad `a` runs on every collection. */
export const onEveryCollection = sql`(a.placement = 'collection' and not a."onlyCollections")`;
