import { ValidationError } from '#libs/errors';
import { instant } from './instant';

interface SentTimes {
  publishedDate?: string | null;
  expireDate?: string | null;
}
interface RunningTime {
  publishedDate?: Date | null;
  expireDate?: Date | null;
}

/** The instants that were sent; undefined was not sent and null clears. */
export const runningTime = ({ publishedDate, expireDate }: SentTimes, zone: string): RunningTime => ({
  publishedDate: publishedDate == null ? publishedDate : instant(publishedDate, zone, 'publishedDate'),
  expireDate: expireDate == null ? expireDate : instant(expireDate, zone, 'expireDate'),
});

/**
 * @param before what was stored, and stays where nothing was sent
 * @throws ValidationError when it would end before it begins
 */
export function refuseReversedDates(sent: RunningTime, before: RunningTime = {}): void {
  const begin = sent.publishedDate === undefined ? before.publishedDate : sent.publishedDate;
  const end = sent.expireDate === undefined ? before.expireDate : sent.expireDate;
  if (begin && end && begin > end) throw ValidationError.of('expireDate', 'must not be before publishedDate');
}
