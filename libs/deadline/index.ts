/**
 * Until when the work at hand is wanted. A request has a deadline, and so has work that many wait for together;
 * it is kept through `AsyncLocalStorage`, and whoever begins something long or lasting asks first.
 */
export { ifWanted, throughout, unlessAbandoned, within, withoutDeadline } from './deadline';
export { Together } from './together';
