import { raw, type Sql, sql } from '#libs/database';
import { accessTagIdsOf, groupIdsOf, isModerating } from './membership.sql';
import { type Caller, isStaff, type Viewer } from '../callers/caller';
import { tiersUpTo } from '../callers/roles';

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
export function contentAccess(alias: string, look: Look): ContentAccess {
  const c = raw(alias);
  const { viewer, unlisted } = look;
  const terms = contentTerms(alias, look);
  if (isStaff(viewer)) {
    const listed = sql`${terms.present} and ${terms.onPlatform}`;
    return { visible: listed, locked: sql`false`, readable: listed };
  }
  if (!viewer) {
    const current = sql`${terms.present} and not ${terms.held} and ${bothOf(terms)}`;
    return {
      visible: sql`(${current} and (${terms.open} or (${c}.visibility = 'members' and ${terms.teasers})))`,
      locked: sql`(${c}.visibility = 'members')`,
      readable: sql`(${current} and ${terms.open})`,
    };
  }
  return memberAccess(alias, terms, unlisted);
}

/** What the rule asks, one by one. None of them is ever null: the negation of null would not lock. */
export interface ContentTerms {
  /** Not deleted. */
  present: Sql;
  /** The item is of the viewer's platform. */
  onPlatform: Sql;
  own: Sql;
  /** Flagged, or waiting for approval. */
  held: Sql;
  /** The viewer moderates a group of the item. */
  moderates: Sql;
  /** From `publishedDate`, which still counts. */
  published: Sql;
  /** Until `expireDate`, which still counts. */
  unexpired: Sql;
  /** For everyone, unlisted items among them when they were asked for. */
  open: Sql;
  /** Whether those who may not open a `members` item get to see its teaser. */
  teasers: Sql;
  /** No gate is set, and none was lost. */
  ungated: Sql;
  /** One is set, and the viewer has one of its groups, tags or tiers. */
  passed: Sql;
  hasTier: Sql;
  inGroup: Sql;
  holdsTag: Sql;
}

/** The terms of `contentAccess()`, for those who explain what it decides. */
export const contentTerms = (alias: string, { viewer, now, unlisted }: Look): ContentTerms =>
  termsFor(alias, viewer && readerOf(alias, viewer), now, unlisted);

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
    and (${staff} or ${memberAccess(alias, termsFor(alias, reader, now, true), true).readable}))`;
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
  // An array, so that the statement is the same one for all tiers.
  hasTier: sql`${raw(alias)}."requiredRole" = any(${tiersUpTo(role)}::text[])`,
});

function memberAccess(alias: string, terms: ContentTerms, unlisted: boolean): ContentAccess {
  const c = raw(alias);
  const { own, open, ungated, passed, teasers } = terms;
  const ownListed = unlisted ? own : sql`(${own} and ${c}.visibility <> 'hidden')`;
  const present = sql`${terms.present} and ${terms.onPlatform}`;
  const current = sql`${bothOf(terms)} and (not ${terms.held} or ${terms.moderates})`;
  const mayOpen = sql`(${open}
    or (${c}.visibility = 'members' and ${ungated})
    or (${c}.visibility in ('members', 'private') and ${passed}))`;
  return {
    visible: sql`(${present} and (${ownListed} or (${current}
      and (${mayOpen} or (${c}.visibility = 'members' and ${teasers})))))`,
    locked: sql`(${c}.visibility = 'members' and not (${own} or ${ungated} or ${passed}))`,
    readable: sql`(${present} and (${ownListed} or (${current} and ${mayOpen})))`,
  };
}

const runningTerms = (alias: string, now: Date): Pick<ContentTerms, 'published' | 'unexpired'> => {
  const row = raw(alias);
  return {
    published: sql`(${row}."publishedDate" is null or ${row}."publishedDate" <= ${now})`,
    unexpired: sql`(${row}."expireDate" is null or ${row}."expireDate" >= ${now})`,
  };
};

/** Whether the row `alias` is published and not expired; both instants still count. */
export const isRunning = (alias: string, now: Date): Sql => bothOf(runningTerms(alias, now));
const bothOf = ({ published, unexpired }: Pick<ContentTerms, 'published' | 'unexpired'>): Sql =>
  sql`${published} and ${unexpired}`;

/** @param reader null is a visitor: nobody's author, and in no group */
function termsFor(alias: string, reader: Reader | null, now: Date, unlisted: boolean): ContentTerms {
  const c = raw(alias);
  const no = sql`false`;
  const groups = sql`select "GroupId" from content_groups where "ContentId" = ${c}.id`;
  const tags = sql`select "AccessTagId" from content_access_tags where "ContentId" = ${c}.id`;
  const hasTier = reader ? sql`coalesce(${reader.hasTier}, false)` : no;
  const inGroup = reader ? sql`exists (${groups} and "GroupId" = any(${groupIdsOf(reader, now)}))` : no;
  const holdsTag = reader
    ? sql`exists (${tags} and "AccessTagId" = any(${accessTagIdsOf(reader, now)}))`
    : no;
  return {
    ...runningTerms(alias, now),
    present: sql`${c}."deletedAt" is null`,
    onPlatform: reader ? sql`${c}."PlatformId" = ${reader.platformId}` : no,
    own: reader ? sql`${c}."UserId" = ${reader.userId}` : no,
    held: sql`(${c}."moderationCategory" is not null or ${c}."awaitsApproval")`,
    moderates: reader ? moderates(alias, reader, now) : no,
    open: unlisted ? sql`${c}.visibility in ('public', 'hidden')` : sql`${c}.visibility = 'public'`,
    teasers: sql`coalesce((select (p.settings ->> 'showTeasers')::boolean from platforms p
      where p.id = ${c}."PlatformId"), true)`,
    ungated: sql`(not ${c}."gateClosed" and ${c}."requiredRole" is null and not exists (${groups}) and not exists (${tags}))`,
    passed: sql`(not ${c}."gateClosed" and (${hasTier} or ${inGroup} or ${holdsTag}))`,
    hasTier,
    inGroup,
    holdsTag,
  };
}

/** Whether the viewer moderates a group of the item. */
export const moderates = (alias: string, viewer: Pick<Reader, 'userId'>, now: Date): Sql => sql`exists (
  select 1 from content_groups cg join group_members m on m."GroupId" = cg."GroupId"
   where cg."ContentId" = ${raw(alias)}.id and ${isModerating('m', viewer, now)})`;
