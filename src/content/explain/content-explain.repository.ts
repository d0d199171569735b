import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, type Sql, sql } from '#libs/database';
import type { NamedDto, TitledDto } from '#libs/http';
import { isBanned } from '../../kernel/access/banned.sql';
import { isStaff, type Viewer } from '../../kernel/callers/caller';
import type { Role } from '../../kernel/callers/roles';
import { contentAccess, contentTerms } from '../../kernel/access/content.access';
import type { Content } from '../content.entity';
import { visibleGroups } from '../content.sql';

/** What the rule found for one viewer and one item: its terms as they came out, and what it decided. */
export type AccessFacts = Pick<
  Content,
  | 'visibility'
  | 'requiredRole'
  | 'gateClosed'
  | 'publishedDate'
  | 'expireDate'
  | 'chatEnabled'
  | 'commentsLocked'
> &
  Record<
    | 'readable'
    | 'own'
    | 'open'
    | 'published'
    | 'unexpired'
    | 'held'
    | 'moderates'
    | 'hasTier'
    | 'inGroup'
    | 'holdsTag'
    | 'asksForGroup'
    | 'asksForTag',
    boolean
  > & { groups: NamedDto[]; tags: TitledDto[] };

export interface Person {
  id: number;
  role: Role;
  pending: boolean;
  banned: boolean;
}

@Injectable()
export class ContentExplainRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async person(platformId: number, id: number): Promise<Person | null> {
    const row = await this.db.row<Person>(sql`
      select u.id, u.role, u.status = 'pending' as pending, ${isBanned('u', this.clock.now())} as banned
        from users u where u.id = ${id} and u."PlatformId" = ${platformId} and u."deletedAt" is null`);
    return row ?? null;
  }

  /**
   * The facts about `viewer`, both people as the item's platform sees them; null when for who asks there is no
   * such item. The groups and tags of the gate are those that who asks may know.
   */
  async facts(asks: Viewer, viewer: Viewer, platformId: number, id: number): Promise<AccessFacts | null> {
    const now = this.clock.now();
    const look = { viewer, now, unlisted: true };
    const terms = contentTerms('c', look);
    const { visible } = contentAccess('c', { ...look, viewer: asks });
    const row = await this.db.row<AccessFacts>(sql`
      select c.visibility, c."requiredRole", c."gateClosed", c."publishedDate", c."expireDate", c."chatEnabled",
             c."commentsLocked", ${contentAccess('c', look).readable} as readable,
             ${terms.own} as own, ${terms.open} as open, ${terms.published} as published,
             ${terms.unexpired} as unexpired, ${terms.held} as held, ${terms.moderates} as moderates,
             ${terms.hasTier} as "hasTier", ${terms.inGroup} as "inGroup", ${terms.holdsTag} as "holdsTag",
             exists (select 1 from content_groups cg where cg."ContentId" = c.id) as "asksForGroup",
             exists (select 1 from content_access_tags ct where ct."ContentId" = c.id) as "asksForTag",
             ${visibleGroups({ viewer: asks, now })} as groups,
             coalesce((select json_agg(json_build_object('id', a.id, 'title', a.title) order by a.id)
                         from content_access_tags ct join access_tags a on a.id = ct."AccessTagId"
                        where ct."ContentId" = c.id and ${tagKnown(asks)}), '[]') as tags
        from contents c where c.id = ${id} and c."PlatformId" = ${platformId} and ${visible}`);
    return row ?? null;
  }
}

/** The titles of access tags are for staff, their authors, and those who hold one or held it until it expired. */
function tagKnown(viewer: Viewer): Sql {
  if (!viewer) return sql`false`;
  if (isStaff(viewer)) return sql`true`;
  return sql`(a."AuthorId" = ${viewer.userId} or exists (
    select 1 from user_access_tags t where t."AccessTagId" = a.id and t."UserId" = ${viewer.userId}))`;
}
