import { raw, type Sql, sql } from '#libs/database';
import { isRunning } from '../content/content.access';
import { groupIdsOf } from '../groups/membership.sql';
import { isStaff, type Viewer } from '../sessions/caller';

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
