import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { NotFoundError, ValidationError } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, RateLimits } from '#libs/http';
import { AuditService } from '../kernel/audit/audit.service';
import { GroupsService } from '../groups/groups.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller } from '../kernel/callers/caller';
import { TIERS, type Tier } from '../kernel/callers/roles';
import { SessionsService } from '../sessions/sessions.service';
import type { BanUserDto, RedeemTokenDto } from './dto/ban.dto';
import type { UserDto } from './dto/user.dto';
import { LastAdminService } from './last-admin.service';
import type { User } from './user.entity';
import { presentUpdatedUser } from './user.presenter';
import { isBanned } from './users.policy';
import { UsersRepository } from './users.repository';

/** What raises or lowers a member: bans, and codes that buy a tier. */
@Injectable()
export class StandingService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly lastAdmin: LastAdminService,
    private readonly groups: GroupsService,
    private readonly platforms: PlatformsService,
    private readonly sessions: SessionsService,
    private readonly rates: RateLimits,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async ban(
    caller: Caller,
    id: number,
    { reason, until, endSessions }: BanUserDto,
  ): Promise<AddedOrEdited<UserDto>> {
    const bannedUntil = (await this.platforms.instant(caller.platformId, until, 'until')) ?? null;
    if (bannedUntil && bannedUntil <= this.clock.now()) throw ValidationError.of('until', 'is in the past');
    return this.db.transaction(async () => {
      const user = await this.users.lock(caller.platformId, id);
      await this.lastAdmin.keep(user);
      const banned = await this.users.change(user, {
        bannedAt: this.clock.now(),
        bannedUntil,
        banReason: reason,
      });
      if (endSessions) await this.sessions.endAllOf(id);
      await this.record(caller, 'user.ban', user, ['bannedAt', 'bannedUntil', 'banReason']);
      return [await this.present(banned), true];
    });
  }

  async unban(caller: Caller, id: number): Promise<DeletedDto> {
    return this.db.transaction(async () => {
      const user = await this.users.lock(caller.platformId, id);
      if (!isBanned(user, this.clock.now())) throw new NotFoundError('The user is not banned.');
      await this.users.change(user, { bannedAt: null, bannedUntil: null, banReason: null });
      await this.record(caller, 'user.unban', user, ['bannedAt', 'bannedUntil', 'banReason']);
      return { message: 'Ban lifted.', id };
    });
  }

  /** Raises the caller to the tier of the code; nobody is lowered by one. */
  async redeem(caller: Caller, { code }: RedeemTokenDto): Promise<AddedOrEdited<UserDto>> {
    await this.rates.attempt('redeem', `${caller.userId}`);
    const tier = await this.platforms.tierOfCode(caller.platformId, code);
    return this.db.transaction(async () => {
      const user = await this.users.lock(caller.platformId, caller.userId);
      if (tier === null || !isRaise(user, tier)) return [await this.present(user), false];
      const raised = await this.users.change(user, { role: tier });
      await this.record(caller, 'user.role', user, ['role']);
      return [await this.present(raised), true];
    });
  }

  private async present(user: User): Promise<UserDto> {
    return presentUpdatedUser(user, await this.groups.ofUser(user.PlatformId, user.id));
  }

  private record(
    { platformId, userId }: Caller,
    action: string,
    { id }: User,
    fields: string[],
  ): Promise<void> {
    return this.audit.record({ platformId, actorId: userId, action, target: { type: 'user', id }, fields });
  }
}

/** Staff have every tier already. */
const isRaise = ({ role }: User, tier: Tier): boolean =>
  (TIERS as readonly string[]).includes(role) && TIERS.indexOf(tier) > TIERS.indexOf(role as Tier);
