import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';

/** The gates of collections, which only groups are the entries of. */
@Injectable()
export class CollectionGatesRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Closes the gates that lose their last entry with this group.
   * @returns how many collections carry it
   */
  async close(groupId: number): Promise<number> {
    const carriers = sql`select "CollectionId" from collection_groups where "GroupId" = ${groupId}::int`;
    // Locked by a statement of its own: of two groups deleted at once, the second sees what the first left.
    const locked = await this.db.execute(
      sql`select 1 from collections where id in (${carriers}) order by id for update`,
    );
    await this.db.execute(sql`
      update collections l set "gateClosed" = true, "updatedAt" = ${this.clock.now()}
       where l.id in (${carriers})
         and not exists (select 1 from collection_groups cg
               where cg."CollectionId" = l.id and cg."GroupId" <> ${groupId}::int)`);
    return locked;
  }
}
