import { join, raw, type Sql, sql } from '#libs/database';
import { accessTagIdsOf, groupIdsOf } from '../groups/membership.sql';
import { type Caller, isStaff, type Viewer } from '../sessions/caller';
import { tiersUpTo } from '../sessions/roles';

/** How the item is being looked at. */
export interface Look {
  /** Someone of the item's platform, or null: see `viewerOn()`. */
  viewer: Viewer;
  now: Date;
  /** Whether unlisted items count: they do when asked for by id or slug, not in lists, search and feeds. */
  unlisted: boolean;
}

export interface ContentAccess {
  /** The viewer may know that the item exists: they read it, or its teaser. */
  visible: Sql;
  /** Only the teaser: a `members` item whose gate the viewer does not pass. */
  locked: Sql;
  /** The viewer may read all of it. */
  readable: Sql;
}

/**
 * The rule who may read what, as SQL over the row `alias` of `contents`. Every route that shows content uses
 * this one, so that a list, a search and a read by id cannot disagree.
 */
export function contentAccess(alias: string, { viewer, now, unlisted }: Look): ContentAccess {
  const c = raw(alias);
  if (isStaff(viewer)) {
    const listed = sql`${c}."deletedAt" is null and ${c}."PlatformId" = ${viewer?.platformId}`;
    return { visible: listed, locked: sql`false`, readable: listed };
  }
  const { open, running, held, teasers } = terms(alias, now, unlisted);
  if (!viewer) {
    const running_ = sql`${c}."deletedAt" is null and not ${held} and ${running}`;
    return {
      visible: sql`(${running_} and (${open} or (${c}.visibility = 'members' and ${teasers})))`,
      locked: sql`(${c}.visibility = 'members')`,
      readable: sql`(${running_} and ${open})`,
    };
  }
  return memberAccess(alias, readerOf(alias, viewer), now, unlisted);
}

/**
 * The users, as rows `users`, who may read the item in the row `alias` when they ask for it by its id: for those
 * who are told of something, or named in it.
 */
export function mayRead(users: string, alias: string, now: Date): Sql {
  const [c, u] = [raw(alias), raw(users)];
  const hasTier = sql`array_position(${TIERS_ARRAY}, ${c}."requiredRole") <= array_position(${TIERS_ARRAY}, ${u}.role)`;
  const reader = { userId: sql`${u}.id`, platformId: sql`${u}."PlatformId"`, hasTier };
  const staff = sql`${u}.role in ('admin', 'creator')`;
  return sql`(${c}."deletedAt" is null and ${c}."PlatformId" = ${u}."PlatformId"
    and (${staff} or ${memberAccess(alias, reader, now, true).readable}))`;
}

/** A member as the rule sees them: the viewer of a request, or each row of users. */
interface Reader {
  userId: number | Sql;
  platformId: number | Sql;
  /** Whether they have the tier that the item requires; null when it requires none. */
  hasTier: Sql;
}

const TIERS_ARRAY = sql`array['free', 'basic', 'premium']`;

const readerOf = (alias: string, { userId, platformId, role }: Caller): Reader => ({
  userId,
  platformId,
  hasTier: sql`${raw(alias)}."requiredRole" in (${join(tiersUpTo(role))})`,
});

function memberAccess(alias: string, reader: Reader, now: Date, unlisted: boolean): ContentAccess {
  const c = raw(alias);
  const { open, running, held, teasers } = terms(alias, now, unlisted);
  const own = sql`${c}."UserId" = ${reader.userId}`;
  const ownListed = unlisted ? own : sql`(${own} and ${c}.visibility <> 'hidden')`;
  const passes = gate(alias, reader, now);
  const present = sql`${c}."deletedAt" is null and ${c}."PlatformId" = ${reader.platformId}`;
  const current = sql`${running} and (not ${held} or ${moderates(alias, reader, now)})`;
  const mayOpen = sql`(${open}
    or (${c}.visibility = 'members' and ${passes.open})
    or (${c}.visibility in ('members', 'private') and ${passes.passed}))`;
  return {
    visible: sql`(${present} and (${ownListed} or (${current}
      and (${mayOpen} or (${c}.visibility = 'members' and ${teasers})))))`,
    locked: sql`(${c}.visibility = 'members' and not (${own} or ${passes.open} or ${passes.passed}))`,
    readable: sql`(${present} and (${ownListed} or (${current} and ${mayOpen})))`,
  };
}

/** Whether the row `alias` is published and not expired; both instants still count. */
export const isRunning = (alias: string, now: Date): Sql => {
  const row = raw(alias);
  return sql`(${row}."publishedDate" is null or ${row}."publishedDate" <= ${now})
    and (${row}."expireDate" is null or ${row}."expireDate" >= ${now})`;
};

/** What the rule says of the item alone. */
function terms(alias: string, now: Date, unlisted: boolean) {
  const c = raw(alias);
  return {
    open: unlisted ? sql`${c}.visibility in ('public', 'hidden')` : sql`${c}.visibility = 'public'`,
    running: isRunning(alias, now),
    held: sql`(${c}."moderationCategory" is not null or ${c}."awaitsApproval")`,
    teasers: sql`coalesce((select (p.settings ->> 'showTeasers')::boolean from platforms p
      where p.id = ${c}."PlatformId"), true)`,
  };
}

/**
 * `open`: no gate is set. `passed`: one is, and the viewer has one of its groups, tags or tiers. Neither is ever
 * null: the negation of null would not lock.
 */
function gate(alias: string, reader: Reader, now: Date): { open: Sql; passed: Sql } {
  const c = raw(alias);
  const groups = sql`select "GroupId" from content_groups where "ContentId" = ${c}.id`;
  const tags = sql`select "AccessTagId" from content_access_tags where "ContentId" = ${c}.id`;
  return {
    open: sql`(not ${c}."gateClosed" and ${c}."requiredRole" is null and not exists (${groups}) and not exists (${tags}))`,
    passed: sql`(not ${c}."gateClosed" and (coalesce(${reader.hasTier}, false)
      or exists (${groups} and "GroupId" = any(${groupIdsOf(reader, now)}))
      or exists (${tags} and "AccessTagId" = any(${accessTagIdsOf(reader, now)}))))`,
  };
}

/** Whether the viewer moderates a group of the item. */
const moderates = (alias: string, { userId }: Reader, now: Date): Sql => sql`exists (
  select 1 from content_groups cg join group_members m on m."GroupId" = cg."GroupId"
   where cg."ContentId" = ${raw(alias)}.id and m."UserId" = ${userId} and m.status = 'active'
     and m.role in ('moderator', 'owner') and (m."expiresAt" is null or m."expiresAt" > ${now}))`;
