import { Injectable } from '@nestjs/common';
import { Periodic } from '#libs/queue';
import { RateRowsRepository } from './rate-rows.repository';

/** Forgets what was counted once its time is over. */
@Injectable()
export class PruneRates extends Periodic {
  protected override readonly everyMs = 60_000;

  constructor(private readonly rows: RateRowsRepository) {
    super();
  }

  protected override async work(): Promise<void> {
    await this.rows.prune();
  }
}
