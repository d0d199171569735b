import { type Sql, sql } from '#libs/database';
import type { Viewer } from '../kernel/callers/caller';
import { membersByRule, membersOf } from '../kernel/access/membership.sql';

/** The columns of a `GroupRow`, over `groups g` with what `joinMine()` joins. */
export const groupColumns = (now: Date): Sql => sql`
  g.id, g.name, g.slug, g.description, g."PlatformId", g."UserId", g."photoUrl", g."bannerImageUrl", g.visibility,
  g."joinPolicy", g."postPolicy", g.position, g.archived, g."createdAt", g."updatedAt",
  array(select r."AccessTagId" from group_access_tags r where r."GroupId" = g.id order by 1) as "AccessTagIds",
  ${memberCount(now)} as "memberCount",
  mine."UserId" as "myUserId", mine.role as "myRole", mine.status as "myStatus", mine.source as "mySource",
  mine."expiresAt" as "myExpiresAt", mine."createdAt" as "mySince"`;

/** Joins the viewer's membership of the group `g` as `mine`: an active one by tag rule before a pending one. */
export const joinMine = (viewer: Viewer, now: Date): Sql => sql`
  left join lateral (
    select * from (${membersOf(sql`g.id`, now)}) m
     where m."UserId" = ${viewer?.userId ?? null}::int
     order by m.status = 'active' desc limit 1) mine on true`;

/** The counter, without memberships that have ended since and with those by tag rule. */
const memberCount = (now: Date): Sql => sql`(g."memberCount"
  - (select count(*) from group_members m
      where m."GroupId" = g.id and m.status = 'active' and m."expiresAt" <= ${now})
  + (select count(*) from (${membersByRule(sql`g.id`, now)}) m))::int`;
