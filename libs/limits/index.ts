/** Bounds on what runs at once within this process, and on the bytes that it holds for others. */
export { AdaptiveLimit } from './adaptive-limit';
export { BytesInHand, type Holding } from './bytes-in-hand';
export { ConcurrencyLimit } from './concurrency-limit';
