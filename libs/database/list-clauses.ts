import sql, { join, raw, type Sql } from 'sql-template-tag';
import { likePattern, searchKey } from '#libs/text';

/**
 * The order that a checked `field:asc` or `field:desc` asks for; the id breaks every tie.
 * @param columns the expression that each field stands for, `id` among them
 */
export function orderBy(sort: string, columns: Readonly<Record<string, string>> & { id: string }): Sql {
  const [field = '', direction] = sort.split(':');
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column === undefined) throw new Error(`There is no order by ${field}`);
  const word = direction === 'desc' ? 'desc' : 'asc';
  return raw(`${column} ${word}, ${columns.id} ${word}`);
}

/** Whether the column holds what a filter asks for; one that was not sent asks for nothing. */
export const equals = (column: string, value: unknown): Sql =>
  value === undefined ? sql`true` : sql`${raw(column)} = ${value}`;

/** Whether a column made by `searchKey()` contains every word of the term; of no words all are found. */
export function containsWords(column: Sql, term = ''): Sql {
  const words = searchKey(term).split(' ').filter(Boolean);
  if (words.length === 0) return sql`true`;
  return join(
    words.map((word) => sql`${column} like ${`%${likePattern(word)}%`}`),
    ' and ',
  );
}

const PAGE_SIZES = [1, 5, 10, 25, 50, 100];

/**
 * The size to write into a prepared statement whose plan must know it: one of a few that holds the page, so that
 * not each size that clients ask for is a statement of its own. What is too much is cut from what was read.
 */
export const pageSizeClass = (size: number): number => PAGE_SIZES.find((most) => most >= size) ?? size;
