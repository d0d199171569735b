import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError, refuseUnknownIds, ValidationError } from '#libs/errors';
import { Events } from '#libs/events';
import {
  type AddedOrEdited,
  type NamedDto,
  type Page,
  pageOf,
  required,
  SizedAnswers,
  type SuccessDto,
} from '#libs/http';
import { Markup } from '#libs/markup';
import { searchKey } from '#libs/text';
import { AccessTagsService } from '../access-tags/access-tags.service';
import { AuditService } from '../kernel/audit/audit.service';
import { changedFields } from '../kernel/audit/changed-fields';
import { allAffected } from '../access-tags/affected-gates';
import type { DeletedGateEntryDto } from '../access-tags/dto/deleted-entry.dto';
import { type Caller, listedPlatform, type Viewer } from '../kernel/callers/caller';
import type { GroupDto, GroupOptionDto } from './dto/group.dto';
import type { ListGroupsQuery } from './dto/list-groups.query';
import type { ReorderGroupsDto } from './dto/reorder-groups.dto';
import type { SaveGroupDto } from './dto/save-group.dto';
import { GroupMembersRepository } from './group-members.repository';
import type { Group } from './group.entity';
import { type GroupRow, myMembership, presentGroup } from './group.presenter';
import { GROUP_DELETED } from './groups.events';
import { canOwnGroup } from './groups.policy';
import { GroupsRepository } from './groups.repository';

@Injectable()
export class GroupsService {
  constructor(
    private readonly db: Database,
    private readonly groups: GroupsRepository,
    private readonly members: GroupMembersRepository,
    private readonly accessTags: AccessTagsService,
    private readonly events: Events,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly markup: Markup,
    private readonly answers: SizedAnswers,
  ) {}

  async read(caller: Caller, id: number): Promise<GroupDto> {
    return presentGroup(await this.requireVisible(caller, id));
  }

  async readBySlug(viewer: Viewer, slug: string, platformId: number): Promise<GroupDto> {
    const group = await this.groups.visible(viewer, platformId, { slug });
    if (!group) throw new NotFoundError();
    return presentGroup(group);
  }

  async list(viewer: Viewer, query: ListGroupsQuery): Promise<Page<GroupDto>> {
    const platformId = listedPlatform(viewer, query.PlatformId);
    const { rows, total } = await this.answers.read((most) =>
      this.groups.page(viewer, platformId, query, most),
    );
    return pageOf(rows.map(presentGroup), total, query);
  }

  options({ platformId }: Caller): Promise<GroupOptionDto[]> {
    return this.groups.options(platformId);
  }

  async save(caller: Caller, dto: SaveGroupDto): Promise<AddedOrEdited<GroupDto>> {
    // Before the transaction: a long text waits for its turn, and keeps no connection meanwhile.
    const changes = fields(dto, await this.description(dto));
    return this.db.transaction(async () => {
      const before = dto.id == null ? null : await this.lockOwn(caller, dto.id);
      const group = before ? await this.edit(before, changes) : await this.create(caller, dto, changes);
      if (dto.AccessTagIds) await this.replaceAccessTags(group, dto.AccessTagIds);
      const after = await this.read(caller, group.id);
      if (before) await this.recordEdit(caller, dto, presentGroup(before), after);
      else await this.record(caller, 'group.create', group.id);
      return [after, !before];
    });
  }

  async reorder({ platformId }: Caller, { groupIds }: ReorderGroupsDto): Promise<SuccessDto> {
    await this.db.transaction(() => this.groups.reorder(platformId, groupIds));
    return { success: true };
  }

  async remove(caller: Caller, id: number): Promise<DeletedGateEntryDto> {
    return this.db.transaction(async () => {
      await this.lockOwn(caller, id);
      const event = { platformId: caller.platformId, groupId: id };
      const affected = allAffected(await this.events.publish(GROUP_DELETED, event));
      await this.groups.remove(id);
      await this.record(caller, 'group.delete', id);
      return { message: 'Group deleted.', id, affected };
    });
  }

  ofUser(platformId: number, userId: number): Promise<NamedDto[]> {
    return this.groups.ofUser({ platformId, userId });
  }

  /** Which of the ids are no groups of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.groups.unknownIds(platformId, ids);
  }

  /** Which of the groups the caller is banned from. */
  bannedFrom(caller: Caller, ids: number[]): Promise<number[]> {
    return this.groups.bannedFrom(caller, ids);
  }

  /** Which of the ids are not open to the caller's posts. */
  async closedToPosts(caller: Caller, ids: number[]): Promise<number[]> {
    const open = new Set(await this.groups.postableIds(caller, ids));
    return ids.filter((id) => !open.has(id));
  }

  /**
   * The user belongs to these groups of the platform and no others. That neither lifts a ban nor takes the last
   * owner of a group away: both are decided in the group itself.
   * @returns whether that changed anything
   * @throws ValidationError
   */
  async replaceMemberships(platformId: number, userId: number, groupIds: number[]): Promise<boolean> {
    const banned = await this.groups.bannedFrom({ userId }, groupIds);
    const ownerless = await this.members.lastOwnerOf(userId, groupIds);
    if (banned.length + ownerless.length > 0) {
      throw new ValidationError([
        ...banned.map((id) => ({ field: 'GroupIds', issue: `the user is banned from group ${id}` })),
        ...ownerless.map((id) => ({
          field: 'GroupIds',
          issue: `group ${id} would be left without an owner`,
        })),
      ]);
    }
    return this.members.replaceAllOf(platformId, userId, groupIds);
  }

  /** Takes a user who is deleted out of every group. */
  endMemberships(userId: number): Promise<void> {
    return this.members.endAllOf(userId);
  }

  /**
   * The group of the caller's platform as they see it.
   * @throws NotFoundError when for them it does not exist
   */
  async requireVisible(caller: Caller, id: number): Promise<GroupRow> {
    const group = await this.groups.visible(caller, caller.platformId, { id });
    if (!group) throw new NotFoundError();
    return group;
  }

  /** Nobody else changes the group or its members until the transaction ends. */
  async lock({ platformId }: Caller, id: number): Promise<void> {
    await this.groups.lock(platformId, id);
  }

  /** As `requireVisible`, and nobody else changes the group or its members until the transaction ends. */
  async lockVisible(caller: Caller, id: number): Promise<GroupRow> {
    await this.lock(caller, id);
    return this.requireVisible(caller, id);
  }

  private async create(caller: Caller, dto: SaveGroupDto, changes: Partial<Group>): Promise<Group> {
    const { name } = required(dto, 'name');
    const PlatformId = caller.platformId;
    const slug =
      (await this.groups.holdSlug(PlatformId, dto.slug)) ??
      (await this.groups.freeSlug(PlatformId, name, 'group'));
    const position = await this.groups.nextPosition(PlatformId);
    const { id } = await this.groups.insert({
      ...changes,
      name,
      slug,
      position,
      PlatformId,
      UserId: caller.userId,
    });
    const group = await this.groups.get(PlatformId, id);
    await this.members.addOwner(group);
    return group;
  }

  private async edit({ PlatformId, id }: GroupRow, changes: Partial<Group>): Promise<Group> {
    await this.groups.holdSlug(PlatformId, changes.slug);
    await this.groups.update(PlatformId, id, { ...changes, updatedAt: this.clock.now() });
    return this.groups.get(PlatformId, id);
  }

  private async description({ description }: SaveGroupDto): Promise<Group['description'] | undefined> {
    return description == null ? description : (await this.markup.article(description)).html;
  }

  private async lockOwn(caller: Caller, id: number): Promise<GroupRow> {
    const group = await this.lockVisible(caller, id);
    if (!canOwnGroup(caller, myMembership(group))) {
      throw new ForbiddenError('Only its owners and admins change a group.');
    }
    return group;
  }

  /** A group gives rights to its members; what changed nothing leaves no row. */
  private async recordEdit(
    caller: Caller,
    dto: SaveGroupDto,
    before: GroupDto,
    after: GroupDto,
  ): Promise<void> {
    const fields = changedFields(before, after).filter((name) => name in dto);
    if (fields.length > 0) await this.record(caller, 'group.edit', after.id, fields);
  }

  private record(
    { platformId, userId }: Caller,
    action: string,
    id: number,
    fields: string[] = [],
  ): Promise<void> {
    return this.audit.record({ platformId, actorId: userId, action, target: { type: 'group', id }, fields });
  }

  private async replaceAccessTags(group: Group, tagIds: number[]): Promise<void> {
    refuseUnknownIds({ AccessTagIds: await this.accessTags.unknownIds(group.PlatformId, tagIds) });
    await this.groups.replaceAccessTags(group, tagIds);
  }
}

/** What a request may set; what it leaves out is undefined and stays. */
const fields = (dto: SaveGroupDto, description: Group['description'] | undefined): Partial<Group> => ({
  name: dto.name,
  nameKey: dto.name === undefined ? undefined : searchKey(dto.name),
  slug: dto.slug,
  description,
  photoUrl: dto.photoUrl,
  bannerImageUrl: dto.bannerImageUrl,
  visibility: dto.visibility,
  joinPolicy: dto.joinPolicy,
  postPolicy: dto.postPolicy,
  archived: dto.archived,
});
