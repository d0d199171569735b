import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, type Fitted, firstFitting, type Sized, sizedOf } from '#libs/database';
import { ConcurrencyLimit } from '#libs/limits';
import type { Viewer } from '../kernel/callers/caller';
import type { FoundContentRow } from './found-content.presenter';
import { SEARCH_SETTINGS, searchStatement } from './content-search.sql';

/** Fewer than the connections of a process, so that searches leave some to the rest. */
const BOUNDS = { running: 4, waiting: 32 };

@Injectable()
export class ContentSearchRepository {
  private readonly searches = new ConcurrencyLimit(BOUNDS);

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * What the viewer may read or see a teaser of, best first: found in the title, by the author, in the text,
   * then the newest. A teaser is found only by what it shows.
   * @param platformId null searches the public items of all platforms
   * @throws UnavailableError when too many search already, or when it takes too long
   */
  async search(
    viewer: Viewer,
    platformId: number | null,
    q: string,
    limit: number,
    most: number,
  ): Promise<Sized<FoundContentRow>> {
    const statement = searchStatement({ viewer, platformId, q, limit, now: this.clock.now() });
    if (!statement) return sizedOf<FoundContentRow>([]);
    const found = firstFitting(statement, most);
    const rows = await this.searches.run(() =>
      this.db.rowsUnder<FoundContentRow & Fitted>(SEARCH_SETTINGS, found),
    );
    return sizedOf(rows);
  }
}
