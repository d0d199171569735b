/**
 * Where rates are counted. Most are counted by each process for itself; those that guard against guessing are
 * counted for all processes together, in Redis or in the table `rate_limits`, and by each process for itself while
 * that is away.
 */
export { PruneRates } from './prune-rates';
export { RateRowsRepository } from './rate-rows.repository';
export { type Rate, RateStores } from './rate-stores';
