import { isDeepStrictEqual } from 'node:util';

/** The names of the fields that a request sets to something else than they hold. */
export const changedFields = <Record extends object>(before: Record, wanted: Partial<Record>): string[] =>
  Object.entries(wanted).flatMap(([field, value]) =>
    value === undefined || isDeepStrictEqual(plain(value), plain(before[field as keyof Record]))
      ? []
      : [field],
  );

/** What is part of a request is of a class, what is stored is not. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
