/**
 * Times as people send them, and the time in which something runs: from `publishedDate` to `expireDate`, or what
 * else it is called, both instants included.
 */
export { instant } from './instant';
export { instants, refuseReversed, refuseReversedDates, runningTime } from './running-time';
