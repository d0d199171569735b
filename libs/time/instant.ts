import { DateTime } from 'luxon';
import { ValidationError } from '#libs/errors';

const MAX_YEAR = 9999;

/**
 * Reads an ISO 8601 text. Without an offset it is a wall time in the IANA zone: one that a clock change skips
 * moves forward, one that it doubles is the first.
 * @throws ValidationError when it is no time that exists, or in UTC one past the year 9999, which no answer
 * could show and no request send back
 */
export function instant(text: string, zone: string, field: string): Date {
  const time = DateTime.fromISO(text, { zone, setZone: true });
  const { year } = time.toUTC();
  if (!time.isValid || year > MAX_YEAR) throw ValidationError.of(field, 'must be a real date and time');
  // Of a doubled wall time luxon takes the one whose offset applies today.
  return DateTime.min(time, ...time.getPossibleOffsets()).toJSDate();
}
