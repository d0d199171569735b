import { ValidationError } from '#libs/errors';
import { instant } from './instant';

type Times<Field extends string, Value> = { [Name in Field]?: Value | null };

const CONTENT_TIMES = ['publishedDate', 'expireDate'] as const;
type ContentTime = (typeof CONTENT_TIMES)[number];

/** The instants that were sent in these fields; undefined was not sent and null clears. */
export function instants<Field extends string>(
  sent: Times<Field, string>,
  zone: string,
  fields: readonly Field[],
): Times<Field, Date> {
  const read = (field: Field): Date | null | undefined => {
    const text: string | null | undefined = sent[field];
    return text == null ? text : instant(text, zone, field);
  };
  return Object.fromEntries(fields.map((field) => [field, read(field)])) as Times<Field, Date>;
}

/**
 * @param before what was stored, and stays where nothing was sent
 * @throws ValidationError when it would end before it begins
 */
export function refuseReversed<Field extends string>(
  sent: Times<Field, Date>,
  before: Times<Field, Date>,
  [begin, end]: readonly [begin: Field, end: Field],
): void {
  const at = (field: Field): Date | null | undefined =>
    sent[field] === undefined ? before[field] : sent[field];
  const [first, last] = [at(begin), at(end)];
  if (first && last && first > last) throw ValidationError.of(end, `must not be before ${begin}`);
}

/** `instants()` of when content and collections run. */
export const runningTime = (sent: Times<ContentTime, string>, zone: string): Times<ContentTime, Date> =>
  instants(sent, zone, CONTENT_TIMES);

/** `refuseReversed()` of when content and collections run. */
export const refuseReversedDates = (
  sent: Times<ContentTime, Date>,
  before: Times<ContentTime, Date> = {},
): void => refuseReversed(sent, before, CONTENT_TIMES);
