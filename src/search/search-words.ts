import { join, raw, type Sql, sql } from '#libs/database';
import { likePattern } from '#libs/text';

/** Trigrams find words of this length anywhere; shorter ones are found where words begin. */
const INDEXED = 3;

/** A key that is searched, and how the full-text index marks the beginnings of its words. */
interface Field {
  key: Sql;
  starts: Sql;
  mark: 'title' | 'teaser' | 'text' | 'name';
}
type Mark = Field['mark'];

export const titleOf = (alias: string): Field => contentField(alias, 'title');
export const textOf = (alias: string): Field => contentField(alias, 'text');
export const teaserOf = (alias: string): Field => contentField(alias, 'teaser');
export const nameOf = (alias: string): Field => ({
  key: raw(`${alias}."nameKey"`),
  starts: raw(`${alias}."nameStarts"`),
  mark: 'name',
});

const contentField = (alias: string, mark: Exclude<Mark, 'name'>): Field => ({
  key: raw(`${alias}."${mark}Key"`),
  starts: raw(`${alias}."wordStarts"`),
  mark,
});

/**
 * Whether the field has what is searched for. Of three characters and more it holds every word, wherever; fewer
 * begin a word. Where no word is one that trigrams find (all are short, or marks only), it holds them all as they
 * are written, or each begins a word.
 * @param q a search key, not empty
 */
export function matches(q: string): (field: Field) => Sql {
  const words = q.split(' ');
  if (words.some(hasTrigrams)) return (field) => holding(field, words);
  const starts = words.map((word) => [...word].slice(0, INDEXED - 1).join(''));
  const long = words.filter((word) => lengthOf(word) >= INDEXED);
  const begin = (field: Field): Sql => join([beginning(field, starts), ...holdings(field, long)], ' and ');
  if (!hasTrigrams(q)) return begin;
  return (field) => sql`(${holding(field, [q])} or (${begin(field)}))`;
}

/** Trigrams are of letters and digits only. */
const hasTrigrams = (text: string): boolean => lengthOf(text) >= INDEXED && /[\p{L}\p{N}]/u.test(text);

const holding = (field: Field, parts: string[]): Sql => join(holdings(field, parts), ' and ');

const holdings = ({ key }: Field, parts: string[]): Sql[] =>
  parts.map((part) => sql`${key} like ${`%${likePattern(part)}%`}`);

/** Compared with the words of the field's own mark alone; every lexeme is quoted, whatever is in it. */
const beginning = ({ starts, mark }: Field, words: string[]): Sql => {
  const query = words.map((word) => `'${`${mark}:${word}`.replace(/['\\]/g, '$&$&')}'`).join(' & ');
  return sql`${starts} @@ ${query}::tsquery`;
};

const lengthOf = (text: string): number => [...text].length;
