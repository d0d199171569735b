import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError } from '#libs/errors';
import { type AddedOrEdited, type Page, pageOf } from '#libs/http';
import type { Caller } from '../kernel/callers/caller';
import type { DecideRequestDto, JoinGroupDto } from './dto/change-members.dto';
import type { DecidedRequestDto, JoinRequestDto, LeftGroupDto } from './dto/group-member.dto';
import type { MembershipDto } from './dto/group.dto';
import type { ListRequestsQuery } from './dto/list-groups.query';
import type { GroupMember } from './group-member.entity';
import { GroupMembersRepository } from './group-members.repository';
import { GroupMembersService, refuseNonModerators } from './group-members.service';
import { type GroupRow, myMembership, presentMembership, presentRequest } from './group.presenter';
import { GroupsService } from './groups.service';

/** How members come and go by themselves: joining, leaving, asking, and the answer. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly db: Database,
    private readonly groups: GroupsService,
    private readonly members: GroupMembersRepository,
    private readonly groupMembers: GroupMembersService,
    private readonly clock: Clock,
  ) {}

  async join(caller: Caller, id: number, { reason }: JoinGroupDto): Promise<AddedOrEdited<MembershipDto>> {
    return this.db.transaction(async () => {
      const group = await this.groups.lockVisible(caller, id);
      const mine = myMembership(group);
      if (mine?.status === 'active') return [mine, false];
      refuseClosed(group);
      const status = group.joinPolicy === 'open' ? 'active' : 'pending';
      if (mine?.status === status) return [mine, false];
      await this.members.begin(group, caller.userId, status, status === 'pending' ? (reason ?? null) : null);
      await this.members.settle([id]);
      return [presentMembership(await this.current(id, caller.userId)), mine === null];
    });
  }

  async leave(caller: Caller, id: number): Promise<LeftGroupDto> {
    return this.db.transaction(async () => {
      // Whoever is in it may leave, even a request for a group that is hidden by now: no look at its visibility.
      await this.groups.lock(caller, id);
      const member = await this.current(id, caller.userId);
      if (member.status === 'banned') throw new NotFoundError();
      await this.groupMembers.end(member);
      return { message: 'You have left the group.', id };
    });
  }

  async requests(caller: Caller, id: number, query: ListRequestsQuery): Promise<Page<JoinRequestDto>> {
    refuseNonModerators(caller, await this.groups.requireVisible(caller, id));
    const { rows, total } = await this.members.requests(id, query);
    return pageOf(rows.map(presentRequest), total, query);
  }

  async decide(
    caller: Caller,
    id: number,
    userId: number,
    { decision }: DecideRequestDto,
  ): Promise<DecidedRequestDto> {
    return this.db.transaction(async () => {
      await this.groupMembers.lockModerated(caller, id);
      const request = await this.current(id, userId);
      if (request.status !== 'pending') throw new NotFoundError();
      if (decision === 'reject') {
        await this.members.remove(id, userId);
        await this.groupMembers.recordMember(caller, 'group-member.reject', id, userId);
        return { success: true, membership: null };
      }
      await this.members.approve(id, userId);
      await this.members.settle([id]);
      await this.groupMembers.recordMember(caller, 'group-member.approve', id, userId);
      return { success: true, membership: presentMembership(await this.current(id, userId)) };
    });
  }

  /** @throws NotFoundError when there is no membership or it has ended */
  private async current(groupId: number, userId: number): Promise<GroupMember> {
    const member = await this.members.find(groupId, userId);
    if (!member || (member.expiresAt && member.expiresAt <= this.clock.now())) throw new NotFoundError();
    return member;
  }
}

function refuseClosed(group: GroupRow): void {
  if (myMembership(group)?.status === 'banned') throw new ForbiddenError('You are banned from this group.');
  if (group.archived || group.joinPolicy === 'closed') throw new ForbiddenError('This group is closed.');
}
