import { sql } from '#libs/database';

/**
 * Waiting for the disk would tell that something was written; a crash loses the last moment's count at most. It
 * works in statements that read from `without_flush`.
 */
export const WITHOUT_FLUSH = sql`with without_flush as (select set_config('synchronous_commit', 'off', true))`;
