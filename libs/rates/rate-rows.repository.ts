import { Injectable } from '@nestjs/common';
import { Database, sql } from '#libs/database';

const PRUNED_AT_ONCE = 500;

/** The rows that `RateStores` counts in when there is no Redis. */
@Injectable()
export class RateRowsRepository {
  constructor(private readonly db: Database) {}

  /** Drops those whose time is over, a few at a time; of several who do so each takes others. */
  async prune(): Promise<number> {
    for (let pruned = 0; ;) {
      // Their times are those of the processes' clocks.
      const some = await this.db.execute(sql`
        delete from rate_limits where key in (
          select key from rate_limits where expire <= extract(epoch from now() - interval '1 minute') * 1000
           order by expire limit ${PRUNED_AT_ONCE} for update skip locked)`);
      pruned += some;
      if (some < PRUNED_AT_ONCE) return pruned;
    }
  }
}
