import { join, raw, type Sql, sql } from '#libs/database';
import { searchKey } from '#libs/text';
import { type Viewer, viewerOn } from '../kernel/callers/caller';
import { contentAccess } from '../kernel/access/content.access';
import { contentSize, shownDescription } from '../content/content.sql';
import { matches, nameOf, teaserOf, textOf, titleOf } from './search-words';

export interface Search {
  viewer: Viewer;
  /** Null searches the public items of all platforms. */
  platformId: number | null;
  q: string;
  limit: number;
  now: Date;
}

export interface SearchBounds {
  /** So many matches are sorted whole. When there are more, enough of them are among the newest. */
  few: number;
  /** So many of the newest items are looked through before all matches are sorted after all. */
  newest: number;
}

const BOUNDS: SearchBounds = { few: 2000, newest: 20_000 };
const AT = raw(`coalesce(c."publishedDate", c."createdAt")`);
/** The same, spelled as in the index of an author's items. */
const AT_OF_AUTHOR = raw(`coalesce(c."publishedDate", c."createdAt", c."createdAt")`);

/**
 * A search is given up after two seconds. What a pattern matches is guessed, and a wrong guess must not read a
 * table from end to end.
 */
export const SEARCH_SETTINGS = { statement_timeout: '2000', enable_seqscan: 'off' };

/**
 * One statement whose work does not grow with the table, nor with what a word matches when it matches much:
 * candidates come in the order of the answer, are tried against the access rule one after the other, and end as
 * soon as there are enough. Null when nothing is searched for.
 */
export function searchStatement(
  { viewer, platformId, q, limit, now }: Search,
  bounds: SearchBounds = BOUNDS,
): Sql | null {
  const key = searchKey(q);
  if (key === '') return null;
  const matching = matches(key);
  const on = platformId === null ? null : viewerOn(platformId, viewer);
  const { visible, locked } = contentAccess('c', { viewer: on, now, unlisted: false });
  const among = platformId === null ? sql`c.visibility = 'public'` : sql`c."PlatformId" = ${platformId}`;
  const listed = sql`c."deletedAt" is null and ${among}`;
  // Spelled as in the indexes of the search.
  const byPlatform = platformId === null ? among : sql`c."PlatformId" + 0 = ${platformId}`;
  const probed = sql`c."deletedAt" is null and ${byPlatform}`;
  const authors = platformId === null ? sql`true` : sql`a."PlatformId" = ${platformId}`;
  const inTitle = matching(titleOf('c'));
  const inName = matching(nameOf('u'));
  const inText = sql`${matching(textOf('c'))} and (not ${locked} or ${matching(teaserOf('c'))})`;
  const titled = found(1, { name: 'titled', listed, probed, matching: inTitle }, bounds);
  const told = found(3, { name: 'told', listed, probed, matching: matching(textOf('c')) }, bounds);
  return sql`
    with ${titled.some}, ${told.some}
    select best.* from (
      select one.*, k.rank, k.at from (
        ${titled.bestFirst}
        union all
        (select 2, own.id, own.at from users a cross join lateral (
           select c.id, ${AT} as at from contents c
            where c."UserId" = a.id and ${listed} and ${visible}
            order by ${AT_OF_AUTHOR} desc, c.id desc limit ${limit}) own
          where ${authors} and ${matching(nameOf('a'))} order by 3 desc, 2 desc)
        union all
        ${told.bestFirst}) k
      cross join lateral (
        select c.id, c.title, ${shownDescription({ locked })}, c.type, c.visibility, c."createdAt", c."updatedAt",
               u.id as "authorId", u.name as "authorName", ${locked} as locked, ${contentSize({ locked })} as size
          from contents c join users u on u.id = c."UserId"
         where c.id = k.id and ${visible}
           and (k.rank = 1 or not (${inTitle}))
           and (k.rank < 3 or (not (${inName}) and ${inText}))
        offset 0) one
      limit ${limit}) best
    order by best.rank, best.at desc, best.id desc`;
}

interface Part {
  name: string;
  listed: Sql;
  probed: Sql;
  matching: Sql;
}

/**
 * What matches in one part of the items. `some` counts the matches, but not far; `bestFirst` has them all, the
 * newest first, and each of its steps is taken only when those before it were not enough.
 */
function found(rank: 1 | 3, part: Part, { few, newest }: SearchBounds): { some: Sql; bestFirst: Sql } {
  const [place, name] = [raw(String(rank)), raw(part.name)];
  const { listed, probed, matching } = part;
  const many = sql`(select count(*) from ${name}) > ${few}`;
  const order = sql`order by ${AT} desc, c.id desc`;
  const all = sql`(select ${place} as rank, id, at from ${name} where not ${many} order by at desc, id desc)`;
  const among = sql`(select ${place}, c.id, c.at from (
      select c.id, c."titleKey", c."textKey", c."wordStarts", ${AT} as at from contents c
       where ${listed} ${order} limit ${newest}) c
     where ${many} and ${matching} order by c.at desc, c.id desc)`;
  const older = sql`(select ${place}, c.id, ${AT} from contents c
     where ${many} and ${listed} and ${matching} and (${AT}, c.id) < (
       select ${AT}, c.id from contents c where ${listed} ${order} offset ${newest - 1} limit 1)
     ${order})`;
  return {
    some: sql`${name} as materialized (
      select c.id, ${AT} as at from contents c where ${probed} and ${matching} limit ${few + 1})`,
    bestFirst: join([all, among, older], ' union all '),
  };
}
