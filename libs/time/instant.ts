import { DateTime } from 'luxon';
import { ValidationError } from '#libs/errors';

/**
 * Reads an ISO 8601 text. Without an offset it is a wall time in the IANA zone: one that a clock change skips
 * moves forward, one that it doubles is the first.
 * @throws ValidationError when it is no time that exists
 */
export function instant(text: string, zone: string, field: string): Date {
  const time = DateTime.fromISO(text, { zone, setZone: true });
  if (!time.isValid) throw ValidationError.of(field, 'must be a real date and time');
  // Of a doubled wall time luxon takes the one whose offset applies today.
  return DateTime.min(time, ...time.getPossibleOffsets()).toJSDate();
}
