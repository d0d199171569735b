import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';

/** The group or access tag that is about to be deleted. */
interface GateEntry {
  groupId: number | null;
  accessTagId: number | null;
}

/** The gates of content items, which groups and access tags are the entries of. */
@Injectable()
export class ContentGatesRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Closes the gates that lose their last entry with this group or tag.
   * @returns how many items carry it
   */
  async close({ groupId, accessTagId }: GateEntry): Promise<number> {
    const carriers = sql`
      select "ContentId" from content_groups where "GroupId" = ${groupId}::int
      union select "ContentId" from content_access_tags where "AccessTagId" = ${accessTagId}::int`;
    // Locked by a statement of its own: of two entries deleted at once, the second sees what the first left.
    const locked = await this.db.rows<{ deleted: boolean }>(sql`
      select "deletedAt" is not null as deleted from contents where id in (${carriers}) order by id for update`);
    await this.db.execute(sql`
      update contents c set "gateClosed" = true, "updatedAt" = ${this.clock.now()},
             "visibilityBefore" = case c.visibility when 'members' then 'members' else c."visibilityBefore" end,
             visibility = case c.visibility when 'members' then 'private' else c.visibility end
       where c.id in (${carriers}) and c."requiredRole" is null
         and not exists (select 1 from content_groups cg
               where cg."ContentId" = c.id and cg."GroupId" is distinct from ${groupId}::int)
         and not exists (select 1 from content_access_tags ct
               where ct."ContentId" = c.id and ct."AccessTagId" is distinct from ${accessTagId}::int)`);
    return locked.filter(({ deleted }) => !deleted).length;
  }
}
