import { raw, type Sql } from '#libs/database';

type Term = readonly [column: string, direction: 'asc' | 'desc'];

const INSTANT = 'coalesce(c."publishedDate", c."createdAt")';
const RECENT: Term = [INSTANT, 'desc'];

/** The orders over a content item `c` and its place `cc` in the collection; the id breaks every tie. */
const ORDERS = {
  mostrecentfirst: [RECENT],
  oldestfirst: [[INSTANT, 'asc']],
  alphabetical: [['c."titleKey" collate "C"', 'asc']],
  reversealphabetical: [['c."titleKey" collate "C"', 'desc']],
  manual: [['cc.position', 'asc']],
  mostpopular: [['c."viewCount"', 'desc'], RECENT],
  mostdiscussed: [['c."commentCount"', 'desc'], RECENT],
  featuredfirst: [['c.featured', 'desc'], RECENT],
} as const satisfies Record<string, readonly Term[]>;

/**
 * The order that each collection's `sortPreference` asks for, in a statement over many collections at once.
 * Case, spaces, - and _ do not count in it; `newest`, `recent` and whatever is unknown act as the default.
 * @param column the column that holds the preference
 */
export function orderByPreference(column: string): Sql {
  const spelled = `regexp_replace(lower(${column}), '[ _-]', '', 'g')`;
  const { mostrecentfirst: byDefault, ...others } = ORDERS;
  const terms = Object.entries(others).flatMap(([key, order]) =>
    order.map(
      ([expression, direction]) => `case when ${spelled} = '${key}' then ${expression} end ${direction}`,
    ),
  );
  return raw([...terms, ...byDefault.map((term) => term.join(' ')), 'c.id desc'].join(', '));
}
