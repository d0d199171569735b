import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  refuseUnknownIds,
  ValidationError,
} from '#libs/errors';
import { type Page, pageOf } from '#libs/http';
import { type AuditEvent, AuditService } from '../kernel/audit/audit.service';
import { changedFields } from '../kernel/audit/changed-fields';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller } from '../kernel/callers/caller';
import type { AddMembersDto } from './dto/change-members.dto';
import type { AddedMembersDto, GroupMemberDto, RemovedMemberDto } from './dto/group-member.dto';
import type { ListMembersQuery } from './dto/list-groups.query';
import type { GroupMember } from './group-member.entity';
import type { MemberRole } from './group-terms';
import { type ChangedMember, GroupMembersRepository } from './group-members.repository';
import { type GroupRow, myMembership, presentMember } from './group.presenter';
import { canChangeMember, canListMembers, canModerateGroup } from './groups.policy';
import { GroupsService } from './groups.service';

/** Who is in a group, and what its owners and moderators do about it. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly db: Database,
    private readonly groups: GroupsService,
    private readonly members: GroupMembersRepository,
    private readonly platforms: PlatformsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, id: number, query: ListMembersQuery): Promise<Page<GroupMemberDto>> {
    const group = await this.groups.requireVisible(caller, id);
    if (!canListMembers(caller, group.visibility, myMembership(group))) {
      throw new ForbiddenError('Only its members see who is in this group.');
    }
    const { rows, total } = await this.members.page(id, query);
    return pageOf(rows.map(presentMember), total, query);
  }

  async add(
    caller: Caller,
    id: number,
    { userIds, role, expiresAt }: AddMembersDto,
  ): Promise<AddedMembersDto> {
    const { platformId } = caller;
    const end = await this.platforms.instant(platformId, expiresAt, 'expiresAt');
    return this.db.transaction(async () => {
      const group = await this.lockModerated(caller, id);
      const before = new Map((await this.members.ofUsers(id, userIds)).map((one) => [one.UserId, one]));
      for (const userId of userIds) {
        const current = before.get(userId)?.role ?? 'member';
        this.refuseForeignRank(caller, group, current, role ?? current);
      }
      const changed = await this.members.addOrChange(group, userIds, { role, expiresAt: end });
      refuseMissing(userIds, changed);
      if (changed.some((one) => one.role === 'owner' && one.expiresAt !== null)) {
        throw ValidationError.of('expiresAt', 'owners have no end');
      }
      if ([...before.values()].some((one) => one.role === 'owner')) await this.keepAnOwner(id);
      await this.members.settle([id]);
      await this.audit.record(
        ...changed.flatMap((one) => {
          const event = whatChanged(before.get(one.UserId), one, this.clock.now());
          return event ? [auditOf(caller, event.action, id, one.UserId, event.fields)] : [];
        }),
      );
      const added = changed.filter((one) => one.added).length;
      return { success: true, added, updated: changed.length - added };
    });
  }

  async remove(caller: Caller, id: number, userId: number): Promise<RemovedMemberDto> {
    return this.db.transaction(async () => {
      const group = await this.lockModerated(caller, id);
      const member = await this.members.find(id, userId);
      if (!member) throw new NotFoundError();
      this.refuseForeignRank(caller, group, member.role, 'member');
      await this.end(member);
      await this.recordMember(caller, 'group-member.remove', id, userId);
      return { message: 'Membership ended.', id: userId };
    });
  }

  /** Ends a membership or takes back a request. The caller holds the lock on the group. */
  async end({ GroupId, UserId, role }: GroupMember): Promise<void> {
    await this.members.remove(GroupId, UserId);
    if (role === 'owner') await this.keepAnOwner(GroupId);
    await this.members.settle([GroupId]);
  }

  /** The group, locked, if the caller decides who is in it. */
  async lockModerated(caller: Caller, id: number): Promise<GroupRow> {
    const group = await this.groups.lockVisible(caller, id);
    refuseNonModerators(caller, group);
    return group;
  }

  /** Writes down what was decided about someone's membership. */
  recordMember(caller: Caller, action: string, id: number, userId: number): Promise<void> {
    return this.audit.record(auditOf(caller, action, id, userId));
  }

  private refuseForeignRank(caller: Caller, group: GroupRow, before: MemberRole, after: MemberRole): void {
    if (!canChangeMember(caller, myMembership(group), before, after)) {
      throw new ForbiddenError('Only owners and admins make or change moderators and owners.');
    }
  }

  private async keepAnOwner(id: number): Promise<void> {
    if (!(await this.members.hasOwner(id)))
      throw new ConflictError('The group would be left without an owner.');
  }
}

/** @throws ForbiddenError when the caller is neither owner nor moderator of the group, nor an admin */
export function refuseNonModerators(caller: Caller, group: GroupRow): void {
  if (!canModerateGroup(caller, myMembership(group))) {
    throw new ForbiddenError('Only its owners, moderators and admins decide who is in this group.');
  }
}

function refuseMissing(userIds: number[], changed: ChangedMember[]): void {
  const known = new Set(changed.map(({ UserId }) => UserId));
  refuseUnknownIds({ userIds: [...new Set(userIds)].filter((id) => !known.has(id)) });
}

/** What a membership became, as the log calls it; nothing when it stayed as it was. */
function whatChanged(
  before: GroupMember | undefined,
  after: ChangedMember,
  now: Date,
): Pick<AuditEvent, 'action' | 'fields'> | null {
  const isNew =
    before?.status !== 'active' || (before.expiresAt !== null && before.expiresAt.getTime() <= now.getTime());
  const fields = changedFields<Pick<ChangedMember, 'role' | 'expiresAt'>>(
    before ?? { role: 'member', expiresAt: null },
    { role: after.role, expiresAt: after.expiresAt },
  );
  if (isNew) return { action: 'group-member.add', fields };
  if (fields.length === 0) return null;
  return { action: fields.includes('role') ? 'group-member.role' : 'group-member.edit', fields };
}

const auditOf = (
  { platformId, userId: actorId }: Caller,
  action: string,
  groupId: number,
  userId: number,
  fields: string[] = [],
): AuditEvent => ({
  platformId,
  actorId,
  action,
  target: { type: 'group-member', id: `${groupId}/${userId}` },
  fields,
});
