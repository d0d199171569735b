import { raw, type Sql, sql } from '#libs/database';
import { isStaff, type Viewer } from '../callers/caller';

/** A caller, or with an expression as id the user of a row. */
interface Person {
  userId: number | Sql;
}

/** Whether the membership or grant in the row `alias` has not ended. */
export const unexpired = (alias: string, now: Date): Sql =>
  sql`(${raw(alias)}."expiresAt" is null or ${raw(alias)}."expiresAt" > ${now})`;

/** The ids of the groups that the viewer belongs to, by membership or by tag rule: an SQL array. */
export function groupIdsOf(viewer: Person | null, now: Date): Sql {
  if (!viewer) return sql`'{}'::int[]`;
  return sql`array(
    select m."GroupId" from group_members m
     where m."UserId" = ${viewer.userId} and m.status = 'active' and ${unexpired('m', now)}
    union
    select r."GroupId" from group_access_tags r
      join user_access_tags t on t."AccessTagId" = r."AccessTagId"
     where t."UserId" = ${viewer.userId} and ${unexpired('t', now)}
       and not exists (select 1 from group_members b
             where b."GroupId" = r."GroupId" and b."UserId" = t."UserId" and b.status = 'banned'
               and ${unexpired('b', now)}))`;
}

/** Whether the row `alias` of `group_members` makes the person a moderator, or owner, of its group. */
export const isModerating = (alias: string, { userId }: Person, now: Date): Sql => {
  const m = raw(alias);
  return sql`(${m}."UserId" = ${userId} and ${m}.status = 'active' and ${m}.role in ('moderator', 'owner')
    and ${unexpired(alias, now)})`;
};

/** The ids of the access tags that the viewer holds: an SQL array. */
export function accessTagIdsOf(viewer: Person | null, now: Date): Sql {
  if (!viewer) return sql`'{}'::int[]`;
  return sql`array(
    select t."AccessTagId" from user_access_tags t
     where t."UserId" = ${viewer.userId} and ${unexpired('t', now)})`;
}

/** Whether the viewer may know that the group `alias` exists. The viewer is one of the group's platform. */
export function groupVisible(alias: string, viewer: Viewer, now: Date): Sql {
  const group = raw(alias);
  if (!viewer) return sql`${group}.visibility = 'public'`;
  if (isStaff(viewer)) return sql`true`;
  return sql`(${group}.visibility in ('public', 'members') or ${group}.id = any(${groupIdsOf(viewer, now)}))`;
}

/** All memberships of a group that have not ended, of any status, those by tag rule among them. */
export const membersOf = (groupId: Sql, now: Date): Sql => sql`
  select m."GroupId", m."UserId", m.role, m.status, m.source, m."expiresAt", m."createdAt", m.reason
    from group_members m where m."GroupId" = ${groupId} and ${unexpired('m', now)}
  union all ${membersByRule(groupId, now)}`;

/** Those who belong to a group only because they hold one of its access tags. A ban from the group wins. */
export const membersByRule = (groupId: Sql, now: Date): Sql => sql`
  (select distinct on (t."UserId") r."GroupId", t."UserId", 'member' as role, 'active' as status, 'tag' as source,
          t."expiresAt", t."createdAt", null as reason
     from group_access_tags r join user_access_tags t on t."AccessTagId" = r."AccessTagId"
    where r."GroupId" = ${groupId} and ${unexpired('t', now)}
      and not exists (select 1 from group_members k
            where k."GroupId" = r."GroupId" and k."UserId" = t."UserId" and k.status in ('active', 'banned')
              and ${unexpired('k', now)})
    order by t."UserId", t."expiresAt" desc nulls first)`;
