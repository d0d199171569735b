/**
 * Times as people send them, and the time in which something runs: from `publishedDate` to `expireDate`, both
 * instants included.
 */
export { instant } from './instant';
export { refuseReversedDates, runningTime } from './running-time';
