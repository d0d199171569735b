import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  equals,
  firstFitting,
  ids,
  type LinkTable,
  orderBy,
  PlatformRepository,
  raw,
  type SizedRows,
  type Sql,
  sql,
} from '#libs/database';
import { type NamedDto, offsetOf } from '#libs/http';
import { type Caller, type Viewer, viewerOn } from '../kernel/callers/caller';
import type { ListGroupsQuery } from './dto/list-groups.query';
import { Group } from './group.entity';
import type { GroupRow } from './group.presenter';
import { groupColumns, joinMine } from './group.sql';
import { groupIdsOf, groupVisible, isModerating, unexpired } from '../kernel/access/membership.sql';

const ACCESS_TAGS: LinkTable = { table: 'group_access_tags', own: 'GroupId', linked: 'AccessTagId' };

const ORDERS = {
  id: 'g.id',
  position: 'g.position',
  name: 'g."nameKey" collate "C"',
  memberCount: '"memberCount"',
  createdAt: 'g."createdAt"',
};

@Injectable()
export class GroupsRepository extends PlatformRepository<Group> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Group);
  }

  /** The group as the viewer sees it; null when for them it does not exist. */
  async visible(
    viewer: Viewer,
    platformId: number,
    by: { id: number } | { slug: string },
  ): Promise<GroupRow | null> {
    const on = viewerOn(platformId, viewer);
    const now = this.clock.now();
    const found = 'id' in by ? sql`g.id = ${by.id}` : sql`g.slug = ${by.slug}`;
    const row = await this.db.row<GroupRow>(sql`
      select ${groupColumns(now)} from groups g ${joinMine(on, now)}
       where g."PlatformId" = ${platformId} and ${found} and ${groupVisible('g', on, now)}`);
    return row ?? null;
  }

  async page(
    viewer: Viewer,
    platformId: number,
    query: ListGroupsQuery,
    most: number,
  ): Promise<SizedRows<GroupRow>> {
    const on = viewerOn(platformId, viewer);
    const now = this.clock.now();
    const listed = sql`g."PlatformId" = ${platformId} and ${groupVisible('g', on, now)}
      and ${containsWords(raw('g."nameKey"'), query.searchTerm)} and ${filtered(query.filters, on, now)}`;
    const page = sql`
      select ${groupColumns(now)}, g.bytes + 1500 as size from groups g ${joinMine(on, now)} where ${listed}
       order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`;
    return this.db.sizedPage(firstFitting(page, most), sql`from groups g where ${listed}`);
  }

  /** All that are not archived. */
  async options(platformId: number): Promise<Pick<Group, 'id' | 'name' | 'UserId'>[]> {
    return this.db.rows(sql`
      select id, name, "UserId" from groups where "PlatformId" = ${platformId} and not archived
       order by position, id`);
  }

  async remove(id: number): Promise<void> {
    await this.db.execute(sql`delete from groups where id = ${id}`);
  }

  async replaceAccessTags(group: Group, tagIds: number[]): Promise<void> {
    await this.replaceLinked(ACCESS_TAGS, group, tagIds);
  }

  /** The groups that someone belongs to, by membership or by tag rule. */
  async ofUser(person: Pick<Caller, 'userId' | 'platformId'>): Promise<NamedDto[]> {
    return this.db.rows(sql`
      select id, name from groups
       where "PlatformId" = ${person.platformId} and id = any(${groupIdsOf(person, this.clock.now())})
       order by position, id`);
  }

  /** Which of the ids are groups that the user moderates or, where members may, posts in. */
  async postableIds(viewer: Caller, groupIds: number[]): Promise<number[]> {
    const now = this.clock.now();
    const rows = await this.db.rows<{ id: number }>(sql`
      select g.id from groups g
       where g."PlatformId" = ${viewer.platformId} and g.id = any(${ids(groupIds)}) and not g.archived
         and g.id = any(${groupIdsOf(viewer, now)})
         and (g."postPolicy" = 'members' or exists (
           select 1 from group_members m where m."GroupId" = g.id and ${isModerating('m', viewer, now)}))`);
    return rows.map(({ id }) => id);
  }

  /** Which of the groups the user is banned from. */
  async bannedFrom({ userId }: Pick<Caller, 'userId'>, groupIds: number[]): Promise<number[]> {
    const rows = await this.db.rows<{ id: number }>(sql`
      select m."GroupId" as id from group_members m
       where m."UserId" = ${userId} and m."GroupId" = any(${ids(groupIds)}) and m.status = 'banned'
         and ${unexpired('m', this.clock.now())}
       order by 1`);
    return rows.map(({ id }) => id);
  }
}

/** Archived groups are listed only when they are asked for. */
function filtered(filters: ListGroupsQuery['filters'] = {}, viewer: Viewer, now: Date): Sql {
  const { mine, visibility, joinPolicy, archived = false } = filters;
  const isMine = sql`g.id = any(${groupIdsOf(viewer, now)})`;
  return sql`g.archived = ${archived}
    and ${mine === undefined ? sql`true` : sql`${isMine} = ${mine}`}
    and ${equals('g.visibility', visibility)} and ${equals('g."joinPolicy"', joinPolicy)}`;
}
