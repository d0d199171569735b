import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isInstantText, MAX_ID } from './fields';

/**
 * What a filter may be set to: true or false, a record's id, any short text, an instant as in a body, which the
 * service reads in the platform's timezone, or one of these words.
 */
type FilterKind = 'boolean' | 'id' | 'text' | 'instant' | readonly string[];
type FilterKinds = Readonly<Record<string, FilterKind>>;
type ValueOf<Kind> = Kind extends 'boolean'
  ? boolean
  : Kind extends 'id'
    ? number
    : Kind extends 'text' | 'instant'
      ? string
      : Kind extends readonly (infer Word)[]
        ? Word
        : never;

/** The filters that a list was given, of those that it allows. */
export type Filters<Kinds extends FilterKinds> = { -readonly [Field in keyof Kinds]?: ValueOf<Kinds[Field]> };
const MAX_TEXT = 200;
const NOT_ONE_TEXT = 'filters must be one text';

class FilterFault extends Error {}

/**
 * The `filters` of a list: a JSON object as text, or `field:value,field2:value`. Only these fields and values
 * are taken; the property holds them as a typed object. A list that takes none says so with `{}`: on every page an
 * unknown filter is a fault.
 */
export const IsFilters = (kinds: FilterKinds): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => readOrFault(value, kinds)),
    ValidateBy({
      name: 'isFilters',
      validator: {
        // What was given twice is a list, and is not read.
        validate: (value: unknown) => !(value instanceof FilterFault) && !Array.isArray(value),
        defaultMessage: (args) => (args?.value instanceof FilterFault ? args.value.message : NOT_ONE_TEXT),
      },
    }),
    ApiProperty({
      type: String,
      description: `A JSON object as text, or \`field:value,field2:value\`. Fields: ${describe(kinds) || 'none'}.`,
    }),
  );

/** The fault stands in for the value until validation reports it with all others. */
function readOrFault(value: unknown, kinds: FilterKinds): unknown {
  if (value === undefined) return value;
  try {
    return readFilters(value, kinds);
  } catch (error) {
    if (error instanceof FilterFault) return error;
    throw error;
  }
}

function readFilters(value: unknown, kinds: FilterKinds): Record<string, unknown> {
  if (typeof value !== 'string') throw new FilterFault(NOT_ONE_TEXT);
  const given = value.trimStart().startsWith('{') ? jsonEntries(value) : pairEntries(value);
  const filters: Record<string, unknown> = {};
  for (const [field, text] of given) {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    if (kind === undefined)
      throw new FilterFault(`filters must be of ${Object.keys(kinds).join(', ') || 'none'}`);
    if (Object.hasOwn(filters, field)) throw new FilterFault(`filters names ${field} twice`);
    filters[field] = readValue(field, text, kind);
  }
  return filters;
}

function jsonEntries(text: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    throw new FilterFault('filters must be a JSON object or field:value pairs');
  }
}

function pairEntries(text: string): [string, unknown][] {
  if (text.trim() === '') return [];
  return text.split(',').map((pair) => {
    const [field = '', ...rest] = pair.split(':');
    return [field.trim(), rest.join(':').trim()];
  });
}

function readValue(field: string, value: unknown, kind: FilterKind): unknown {
  if (kind === 'boolean') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
  } else if (kind === 'id') {
    const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    if (typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= MAX_ID) return id;
  } else if (kind === 'text') {
    if (typeof value === 'string' && isShortText(value)) return value;
  } else if (kind === 'instant') {
    if (isInstantText(value)) return value;
  } else if (kind.includes(wordOf(value))) {
    return wordOf(value);
  }
  throw new FilterFault(`filters: ${field} must be ${allowed(kind)}`);
}

/** In JSON the words `true` and `false` may come without quotes. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
/** JSON can escape what the text around it was not allowed to hold. */
const isShortText = (text: string): boolean =>
  text.length <= MAX_TEXT && !text.includes('\0') && text.isWellFormed();

const IN_WORDS = {
  boolean: 'true or false',
  id: 'an id',
  text: `a text of at most ${MAX_TEXT} characters`,
  instant: 'an ISO 8601 date-time',
};

const allowed = (kind: FilterKind): string =>
  typeof kind === 'string' ? IN_WORDS[kind] : `one of ${kind.join(', ')}`;

const describe = (kinds: FilterKinds): string =>
  Object.entries(kinds)
    .map(([field, kind]) => `\`${field}\` (${allowed(kind)})`)
    .join(', ');
