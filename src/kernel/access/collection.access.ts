import { raw, type Sql, sql } from '#libs/database';
import { type ContentAccess, contentAccess, isRunning, type Look } from './content.access';
import { groupIdsOf } from './membership.sql';
import { isStaff, type Viewer } from '../callers/caller';

/** Whether the collection `alias` is published, not expired, and its gate open to the viewer. */
export function collectionOpen(alias: string, viewer: Viewer, now: Date): Sql {
  const l = raw(alias);
  const running = isRunning(alias, now);
  if (isStaff(viewer)) return running;
  const groups = sql`select 1 from collection_groups cg where cg."CollectionId" = ${l}.id`;
  const own = viewer ? sql`${l}."UserId" = ${viewer.userId} or` : sql``;
  return sql`(${running} and (${own} (not ${l}."gateClosed" and (not exists (${groups})
    or exists (${groups} and cg."GroupId" = any(${groupIdsOf(viewer, now)}))))))`;
}

/** What a collection shows besides what everybody finds in it. */
export interface Besides {
  /** Hidden items. */
  hidden: boolean;
  /** Unpublished and expired items. */
  future: boolean;
}

/** The access rule for the items `c` of a collection, and which of them it shows: `shown`. */
export function itemsShown(
  viewer: Viewer,
  now: Date,
  { hidden, future }: Besides,
): { look: Look; access: ContentAccess; shown: Sql } {
  const look: Look = { viewer, now, unlisted: hidden };
  const access = contentAccess('c', look);
  // Staff and authors may see them elsewhere: here hidden, unpublished and expired items are left out for all.
  const listed = hidden ? sql`` : sql`and c.visibility <> 'hidden'`;
  const running = future ? sql`` : sql`and ${isRunning('c', now)}`;
  return { look, access, shown: sql`(${access.visible} ${listed} ${running})` };
}
