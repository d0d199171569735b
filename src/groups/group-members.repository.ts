import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  equals,
  ids,
  orderBy,
  type PageRows,
  raw,
  type Sql,
  sql,
} from '#libs/database';
import { offsetOf } from '#libs/http';
import { authorColumns } from '../kernel/people/author.sql';
import type { ListMembersQuery, ListRequestsQuery } from './dto/list-groups.query';
import { GroupMember } from './group-member.entity';
import type { MemberRole, MemberStatus } from './group-terms';
import type { Group } from './group.entity';
import type { MemberRow } from './group.presenter';
import { membersByRule, membersOf } from '../kernel/access/membership.sql';

/** What a membership became, and whether there was none before. */
export type ChangedMember = Pick<GroupMember, 'UserId' | 'role' | 'expiresAt'> & { added: boolean };

const ORDERS = { id: 'm."UserId"', createdAt: 'm."createdAt"', name: 'u."nameKey" collate "C"' };

/** Who belongs to a group. Whoever changes it holds the lock on the group's row, and settles it afterwards. */
@Injectable()
export class GroupMembersRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async find(groupId: number, userId: number): Promise<GroupMember | null> {
    return this.db.manager.findOneBy(GroupMember, { GroupId: groupId, UserId: userId });
  }

  async ofUsers(groupId: number, userIds: number[]): Promise<GroupMember[]> {
    return this.db.rows(sql`
      select * from group_members where "GroupId" = ${groupId} and "UserId" = any(${ids(userIds)})`);
  }

  /** Active members at this moment, those by tag rule among them. */
  page(groupId: number, query: ListMembersQuery): Promise<PageRows<MemberRow>> {
    const role = query.filters?.role;
    return this.people(groupId, query, sql`m.status = 'active' and ${equals('m.role', role)}`);
  }

  requests(groupId: number, query: ListRequestsQuery): Promise<PageRows<MemberRow>> {
    return this.people(groupId, query, sql`m.status = 'pending'`);
  }

  async addOwner({ id, PlatformId, UserId }: Group): Promise<void> {
    await this.db.manager.insert(GroupMember, {
      GroupId: id,
      PlatformId,
      UserId,
      role: 'owner',
      createdAt: this.clock.now(),
    });
    await this.settle([id]);
  }

  /**
   * Makes active members of users of the platform; others are not among what it answers.
   * @param changes a role or end that is undefined stays as it is
   */
  async addOrChange(
    { id, PlatformId }: Pick<Group, 'id' | 'PlatformId'>,
    userIds: number[],
    { role, expiresAt }: { role?: MemberRole; expiresAt?: Date | null },
  ): Promise<ChangedMember[]> {
    const now = this.clock.now();
    return this.db.rows(sql`
      insert into group_members as m ("PlatformId", "GroupId", "UserId", role, "expiresAt", "createdAt")
      select ${PlatformId}, ${id}, u.id, ${role ?? 'member'}, ${expiresAt ?? null}::timestamptz, ${now}
        from users u where u."PlatformId" = ${PlatformId} and u.id = any(${ids(userIds)}) and u."deletedAt" is null
      on conflict ("GroupId", "UserId") do update set status = 'active', reason = null,
        role = coalesce(${role ?? null}::text, m.role),
        "expiresAt" = case when ${expiresAt === undefined} and m."expiresAt" > ${now} then m."expiresAt"
                           else excluded."expiresAt" end
      returning m."UserId", m.role, m."expiresAt", m.xmax = 0 as added`);
  }

  /** A plain membership, or the request for one, from this moment on. */
  async begin(
    { id, PlatformId }: Pick<Group, 'id' | 'PlatformId'>,
    userId: number,
    status: MemberStatus,
    reason: string | null,
  ): Promise<void> {
    await this.db.execute(sql`
      insert into group_members ("PlatformId", "GroupId", "UserId", status, reason, "createdAt")
      values (${PlatformId}, ${id}, ${userId}, ${status}, ${reason}, ${this.clock.now()})
      on conflict ("GroupId", "UserId") do update set role = 'member', source = 'manual', "expiresAt" = null,
        status = excluded.status, reason = excluded.reason, "createdAt" = excluded."createdAt"`);
  }

  async approve(groupId: number, userId: number): Promise<void> {
    await this.db.execute(sql`
      update group_members set status = 'active', reason = null
       where "GroupId" = ${groupId} and "UserId" = ${userId}`);
  }

  async remove(groupId: number, userId: number): Promise<void> {
    await this.db.execute(
      sql`delete from group_members where "GroupId" = ${groupId} and "UserId" = ${userId}`,
    );
  }

  async hasOwner(groupId: number): Promise<boolean> {
    const row = await this.db.row(sql`
      select 1 from group_members where "GroupId" = ${groupId} and role = 'owner' and status = 'active' limit 1`);
    return row !== undefined;
  }

  /** The groups whose last owner the user is. Nobody else changes their members until the transaction ends. */
  async lastOwnerOf(userId: number, apartFrom: number[]): Promise<number[]> {
    const owned = await this.db.rows<{ id: number }>(sql`
      select g.id from groups g join group_members m on m."GroupId" = g.id
       where m."UserId" = ${userId} and m.role = 'owner' and m.status = 'active'
         and g.id <> all(${ids(apartFrom)})
       order by g.id for no key update of g`);
    // By a statement of its own: it sees what others have committed until the groups were locked.
    const rows = await this.db.rows<{ id: number }>(sql`
      select owned.id from unnest(${ids(owned.map(({ id }) => id))}) owned (id)
       where not exists (select 1 from group_members m
               where m."GroupId" = owned.id and m."UserId" <> ${userId} and m.role = 'owner' and m.status = 'active')
       order by 1`);
    return rows.map(({ id }) => id);
  }

  /**
   * Memberships in other groups end (bans stay), those in these begin or become active again; roles stay, and ends
   * that are still to come. Of a group that the user belongs to by tag rule nothing begins.
   * @returns whether that changed anything
   */
  async replaceAllOf(platformId: number, userId: number, groupIds: number[]): Promise<boolean> {
    const now = this.clock.now();
    const touched = await this.db.rows<{ id: number }>(sql`
      with ended as (
        delete from group_members
         where "UserId" = ${userId} and "GroupId" <> all(${ids(groupIds)}) and status <> 'banned'
        returning "GroupId" as id),
      begun as (
        insert into group_members as m ("PlatformId", "GroupId", "UserId", "createdAt")
        select ${platformId}, id, ${userId}, ${now}
          from (select distinct unnest(${ids(groupIds)}) as id) listed
         where not exists (select 1 from (${membersByRule(sql`listed.id`, now)}) k where k."UserId" = ${userId})
        on conflict ("GroupId", "UserId") do update set status = 'active', reason = null,
          "expiresAt" = case when m."expiresAt" > ${now} then m."expiresAt" end
          where m.status <> 'active' or m."expiresAt" <= ${now}
        returning "GroupId" as id)
      select id from ended union select id from begun order by id`);
    await this.settle(touched.map(({ id }) => id));
    return touched.length > 0;
  }

  /** Of any status: nothing of the user stays in a group. */
  async endAllOf(userId: number): Promise<void> {
    const ended = await this.db.rows<{ id: number }>(sql`
      delete from group_members where "UserId" = ${userId} returning "GroupId" as id`);
    await this.settle(ended.map(({ id }) => id));
  }

  /** Counts the members again, and when a group's owner is one no longer, names the owner of longest standing. */
  async settle(groupIds: number[]): Promise<void> {
    // Locked by a statement of its own: the count that follows sees what others have committed until then.
    // Not `for update`, which the references of memberships that others are adding would hold up.
    await this.db.execute(
      sql`select 1 from groups where id = any(${ids(groupIds)}) order by id for no key update`,
    );
    await this.db.execute(sql`
      update groups g set "memberCount" =
        (select count(*) from group_members m where m."GroupId" = g.id and m.status = 'active'),
        "UserId" = coalesce(
          (select m."UserId" from group_members m
            where m."GroupId" = g.id and m.role = 'owner' and m.status = 'active'
            order by m."UserId" = g."UserId" desc, m."createdAt", m."UserId" limit 1), g."UserId")
       where g.id = any(${ids(groupIds)})`);
  }

  private async people(
    groupId: number,
    query: Omit<ListRequestsQuery, 'filters'>,
    by: Sql,
  ): Promise<PageRows<MemberRow>> {
    const people = sql`
      from (${membersOf(sql`${groupId}::int`, this.clock.now())}) m join users u on u.id = m."UserId"
     where ${by} and ${containsWords(raw('u."nameKey"'), query.searchTerm)}`;
    return this.db.page(
      sql`
      select m.*, ${authorColumns} ${people}
       order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`,
      people,
    );
  }
}
