import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, ids, PlatformRepository, sql } from '#libs/database';
import type { NamedDto } from '#libs/http';
import type { Caller } from '../sessions/caller';
import { GroupMember } from './group-member.entity';
import { Group } from './group.entity';
import { groupIdsOf } from './membership.sql';

@Injectable()
export class GroupsRepository extends PlatformRepository<Group> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Group);
  }

  async nextPosition(platformId: number): Promise<number> {
    const row = await this.db.row<{ next: number }>(
      sql`select coalesce(max(position), 0) + 1 as next from groups where "PlatformId" = ${platformId}`,
    );
    return row?.next ?? 1;
  }

  async membership(groupId: number, userId: number): Promise<GroupMember | null> {
    return this.db.manager.findOneBy(GroupMember, { GroupId: groupId, UserId: userId });
  }

  async addOwner({ id, PlatformId, UserId }: Group): Promise<void> {
    await this.db.manager.insert(GroupMember, { GroupId: id, PlatformId, UserId, role: 'owner' });
    await this.recount([id]);
  }

  async accessTagIds(groupId: number): Promise<number[]> {
    const rows = await this.db.rows<{ id: number }>(
      sql`select "AccessTagId" as id from group_access_tags where "GroupId" = ${groupId} order by 1`,
    );
    return rows.map(({ id }) => id);
  }

  async replaceAccessTags({ id, PlatformId }: Group, tagIds: number[]): Promise<void> {
    await this.db.execute(sql`
      delete from group_access_tags where "GroupId" = ${id} and "AccessTagId" <> all(${ids(tagIds)})`);
    await this.db.execute(sql`
      insert into group_access_tags ("PlatformId", "GroupId", "AccessTagId")
      select ${PlatformId}, ${id}, unnest(${ids(tagIds)}) on conflict do nothing`);
  }

  /** The groups that someone belongs to, by membership or by tag rule. */
  async ofUser(person: Pick<Caller, 'userId' | 'platformId'>): Promise<NamedDto[]> {
    return this.db.rows(sql`
      select id, name from groups
       where "PlatformId" = ${person.platformId} and id = any(${groupIdsOf(person, this.clock.now())})
       order by position, id`);
  }

  /** Memberships in other groups end, those in these begin or become active again; roles stay. */
  async replaceMemberships(platformId: number, userId: number, groupIds: number[]): Promise<void> {
    const touched = await this.db.rows<{ id: number }>(sql`
      with ended as (
        delete from group_members where "UserId" = ${userId} and "GroupId" <> all(${ids(groupIds)})
        returning "GroupId" as id),
      begun as (
        insert into group_members ("PlatformId", "GroupId", "UserId")
        select distinct ${platformId}::int, unnest(${ids(groupIds)}), ${userId}::int
        on conflict ("GroupId", "UserId") do update set status = 'active', "expiresAt" = null
        returning "GroupId" as id)
      select id from ended union select id from begun order by id`);
    await this.recount(touched.map(({ id }) => id));
  }

  /** Which of the ids are groups that the user moderates or, where members may, posts in. */
  async postableIds(viewer: Caller, groupIds: number[]): Promise<number[]> {
    const now = this.clock.now();
    const rows = await this.db.rows<{ id: number }>(sql`
      select g.id from groups g
       where g."PlatformId" = ${viewer.platformId} and g.id = any(${ids(groupIds)}) and not g.archived
         and g.id = any(${groupIdsOf(viewer, now)})
         and (g."postPolicy" = 'members' or exists (
           select 1 from group_members m where m."GroupId" = g.id and m."UserId" = ${viewer.userId}
              and m.role in ('moderator', 'owner') and m.status = 'active'
              and (m."expiresAt" is null or m."expiresAt" > ${now})))`);
    return rows.map(({ id }) => id);
  }

  private async recount(groupIds: number[]): Promise<void> {
    await this.db.execute(sql`
      update groups g set "memberCount" =
        (select count(*) from group_members m where m."GroupId" = g.id and m.status = 'active')
       where g.id = any(${ids(groupIds)})`);
  }
}
