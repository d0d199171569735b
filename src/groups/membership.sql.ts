import { raw, type Sql, sql } from '#libs/database';
import { type Caller, isStaff, type Viewer } from '../sessions/caller';

type Person = Pick<Caller, 'userId'>;

/** The ids of the groups that the viewer belongs to, by membership or by tag rule: an SQL array. */
export function groupIdsOf(viewer: Person | null, now: Date): Sql {
  if (!viewer) return sql`'{}'::int[]`;
  return sql`array(
    select m."GroupId" from group_members m
     where m."UserId" = ${viewer.userId} and m.status = 'active' and (m."expiresAt" is null or m."expiresAt" > ${now})
    union
    select r."GroupId" from group_access_tags r
      join user_access_tags t on t."AccessTagId" = r."AccessTagId"
     where t."UserId" = ${viewer.userId} and (t."expiresAt" is null or t."expiresAt" > ${now}))`;
}

/** The ids of the access tags that the viewer holds: an SQL array. */
export function accessTagIdsOf(viewer: Person | null, now: Date): Sql {
  if (!viewer) return sql`'{}'::int[]`;
  return sql`array(
    select t."AccessTagId" from user_access_tags t
     where t."UserId" = ${viewer.userId} and (t."expiresAt" is null or t."expiresAt" > ${now}))`;
}

/** Whether the viewer may know that the group `alias` exists. The viewer is one of the group's platform. */
export function groupVisible(alias: string, viewer: Viewer, now: Date): Sql {
  const group = raw(alias);
  if (!viewer) return sql`${group}.visibility = 'public'`;
  if (isStaff(viewer)) return sql`true`;
  return sql`(${group}.visibility in ('public', 'members') or ${group}.id = any(${groupIdsOf(viewer, now)}))`;
}
