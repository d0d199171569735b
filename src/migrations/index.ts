import { Foundation1763700000000 } from './1763700000000-foundation';

/** In the order in which they run. */
export const MIGRATIONS = [Foundation1763700000000];
