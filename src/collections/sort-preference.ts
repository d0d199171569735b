import { join, raw, type Sql, sql } from '#libs/database';

type Term = readonly [expression: Sql, direction: 'asc' | 'desc'];

const POPULAR_DAYS = 30;
const INSTANT = raw('coalesce(c."publishedDate", c."createdAt")');
const RECENT: Term = [INSTANT, 'desc'];

/** The orders over a content item `c` and its place `cc` in the collection. */
const orders = (now: Date) =>
  ({
    oldestfirst: [
      [INSTANT, 'asc'],
      [raw('c.id'), 'asc'],
    ],
    alphabetical: [[raw('c."titleKey" collate "C"'), 'asc']],
    reversealphabetical: [[raw('c."titleKey" collate "C"'), 'desc']],
    manual: [[raw('cc.position'), 'asc']],
    mostpopular: [[viewsSince(now), 'desc']],
    mostdiscussed: [[raw('c."commentCount"'), 'desc']],
    featuredfirst: [[raw('c.featured'), 'desc']],
  }) satisfies Record<string, readonly Term[]>;

/** What a stored preference is compared by: case, spaces, - and _ do not count in it. */
export const spelledPreference = (column: string): Sql => raw(`translate(lower(${column}), ' _-', '')`);

/**
 * The order that each collection's preference asks for, in a statement over many collections at once. `newest`,
 * `recent` and whatever is unknown act as the default, most recent first, which also breaks the ties of the
 * others; the id breaks the last ones. What another order would need is not computed.
 * @param preference the column that holds the preference as `spelledPreference()` makes it
 */
export function orderByPreference(preference: string, now: Date): Sql {
  const column = raw(preference);
  const asked = Object.entries(orders(now)).flatMap(([name, terms]) =>
    terms.map(([expression, direction]) =>
      term(sql`case when ${column} = ${raw(`'${name}'`)} then ${expression} end`, direction),
    ),
  );
  return join([...asked, term(...RECENT), term(raw('c.id'), 'desc')], ', ');
}

const term = (expression: Sql, direction: Term[1]): Sql =>
  sql`${expression} ${direction === 'asc' ? raw('asc') : raw('desc')}`;

/** The views of the item in the last 30 days, by UTC, today among them. */
const viewsSince = (now: Date): Sql => sql`(
  select coalesce(sum(v.views), 0) from content_view_days v
   where v."ContentId" = c.id and v.day > (${now}::timestamptz at time zone 'UTC')::date - ${raw(String(POPULAR_DAYS))})`;
