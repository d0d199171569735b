import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { BannedError, ForbiddenError, RoleForbiddenError, refuseUnknownIds } from '#libs/errors';
import { type AddedOrEdited, required } from '#libs/http';
import { emailKey } from '#libs/text';
import { type AuditEvent, AuditService } from '../kernel/audit/audit.service';
import { changedFields } from '../kernel/audit/changed-fields';
import { AccessTagsService } from '../access-tags/access-tags.service';
import { GroupsService } from '../groups/groups.service';
import { MailService } from '../kernel/mail/mail.service';
import { PasswordsService } from '../kernel/passwords/passwords.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isAdmin } from '../kernel/callers/caller';
import { SessionsService } from '../sessions/sessions.service';
import { TokensService } from '../sessions/tokens.service';
import type { SaveUserDto } from './dto/save-user.dto';
import type { DeletedUserDto, MeDto, UserDto } from './dto/user.dto';
import { LastAdminService } from './last-admin.service';
import type { User } from './user.entity';
import { presentCreatedUser, presentUpdatedUser, presentUser } from './user.presenter';
import { canCreateUsers, canDeleteUser, canEditUser, isActiveAdmin, PRIVILEGED_FIELDS } from './users.policy';
import { type NewUser, UsersRepository } from './users.repository';

@Injectable()
export class UsersService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly lastAdmin: LastAdminService,
    private readonly groups: GroupsService,
    private readonly accessTags: AccessTagsService,
    private readonly platforms: PlatformsService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
    private readonly mail: MailService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async me(caller: Caller): Promise<MeDto> {
    const user = await this.users.get(caller.platformId, caller.userId);
    return {
      ...presentUser(user),
      Groups: await this.groups.ofUser(caller.platformId, caller.userId),
      AccessTags: await this.users.accessTags(user),
      Platform: await this.platforms.summary(caller.platformId),
      unreadCount: 0,
    };
  }

  save(caller: Caller, dto: SaveUserDto): Promise<AddedOrEdited<UserDto>> {
    return dto.id == null ? this.create(caller, dto) : this.edit(caller, dto.id, dto);
  }

  /** The user who holds the address on the platform, whatever its spelling. */
  findByEmail(platformId: number, email: string): Promise<User | null> {
    return this.users.findByEmail(platformId, email);
  }

  /**
   * Adds a user on behalf of the operator or of another part of the service, with no caller to judge.
   * @param action what the log calls it
   */
  async add(user: NewUser & { password?: string }, action = 'user.create'): Promise<User> {
    const { password, ...values } = user;
    const passwordHash = password === undefined ? null : await this.passwords.hash(password, user);
    return this.db.transaction(async () => {
      const added = await this.users.create({ ...values, passwordHash });
      await this.audit.record(eventOf(added, null, action, namesOf(user)));
      return added;
    });
  }

  get(platformId: number, id: number): Promise<User> {
    return this.users.get(platformId, id);
  }

  find(platformId: number, id: number): Promise<User | null> {
    return this.users.find(platformId, id);
  }

  /** @throws ValidationError when the password is too weak for this user */
  hashPassword(user: User, password: string): Promise<string> {
    return this.passwords.hash(password, user);
  }

  /** Ends the user's sessions too, save one, and voids what was mailed. */
  async replacePassword(user: User, passwordHash: string, keepSession: string | null = null): Promise<void> {
    await this.users.change(user, { passwordHash });
    await this.users.voidMailed(user.id);
    await this.sessions.endAllOf(user.id, keepSession);
  }

  /** Keeps up with the parameters of the day; the password is known to be right. */
  async rehash(user: User, password: string): Promise<void> {
    const passwordHash = await this.passwords.rehash(password, user.passwordHash);
    if (passwordHash) await this.users.change(user, { passwordHash });
  }

  /** The address is shown to be the user's. */
  async activate(user: User): Promise<User> {
    return user.status === 'active' ? user : this.users.change(user, { status: 'active' });
  }

  /** @throws ValidationError when another user has the address by now */
  async changeEmail(user: User, email: string): Promise<UserDto> {
    const changed = await this.users.change(user, { email });
    await this.users.voidMailed(user.id);
    return presentUpdatedUser(changed, await this.groups.ofUser(user.PlatformId, user.id));
  }

  /** Which of the ids are no users of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.users.unknownIds(platformId, ids);
  }

  async remove(caller: Caller, id: number): Promise<DeletedUserDto> {
    if (!canDeleteUser(caller, id)) throw new ForbiddenError();
    if (caller.banned && caller.userId !== id) throw new BannedError();
    await this.db.transaction(async () => {
      const user = await this.users.lock(caller.platformId, id);
      await this.lastAdmin.keep(user);
      await this.users.anonymise(user);
      await this.accessTags.releaseAllOf(id);
      await this.groups.endMemberships(id);
      await this.sessions.endAllOf(id);
      await this.sessions.forgetPlacesOf(id);
      await this.audit.record(eventOf(user, caller, 'user.delete'));
    });
    return { message: 'User deleted.', id: String(id) };
  }

  private async create(caller: Caller, dto: SaveUserDto): Promise<AddedOrEdited<UserDto>> {
    if (!canCreateUsers(caller)) throw new ForbiddenError('Only admins add users.');
    const { email, name, role, PlatformId } = required(dto, 'email', 'name', 'role', 'PlatformId');
    if (PlatformId !== caller.platformId)
      throw new ForbiddenError('Admins add users to their own platform only.');
    const { password, photoUrl, bannerImageUrl, notes, status } = dto;
    const passwordHash = password === undefined ? null : await this.passwords.hash(password, { email, name });
    return this.db.transaction(async () => {
      const user = await this.users.create({
        PlatformId,
        email,
        name,
        role,
        status,
        photoUrl,
        bannerImageUrl,
        notes,
        passwordHash,
      });
      await this.replaceMemberships(user, dto);
      await this.audit.record(eventOf(user, caller, 'user.create', namesOf(dto)));
      const entry = this.audit.entry(eventOf(user, caller, 'token.create'));
      return [presentCreatedUser(user, await this.tokens.issue(user, 'created', entry)), true];
    });
  }

  private async edit(caller: Caller, id: number, dto: SaveUserDto): Promise<AddedOrEdited<UserDto>> {
    if (!canEditUser(caller, id)) throw new ForbiddenError('Only admins edit other users.');
    return this.db.transaction(async () => {
      const user = await this.users.lock(caller.platformId, id);
      if (isAdmin(caller)) await this.checkAdminChanges(user, dto);
      else await this.refusePrivilegedChanges(user, dto);
      const { email, name, role, status, photoUrl, bannerImageUrl, notes } = dto;
      const wanted = { name, status, photoUrl, bannerImageUrl, notes, ...(isAdmin(caller) && { email }) };
      const fields = changedFields<Partial<User>>(user, wanted);
      const changed = await this.users.change(user, { ...wanted, role });
      if (changed.emailKey !== user.emailKey) await this.tellOfNewAddress(user);
      if (isAdmin(caller)) {
        fields.push(...(await this.replaceMemberships(user, dto)));
        if (changed.role !== user.role) await this.audit.record(eventOf(user, caller, 'user.role', ['role']));
        if (fields.length > 0) await this.audit.record(eventOf(user, caller, 'user.edit', fields));
      }
      return [presentUpdatedUser(changed, await this.groups.ofUser(user.PlatformId, id)), false];
    });
  }

  /** What went to the old address counts no longer, and its owner learns that it is not the account's any more. */
  private async tellOfNewAddress({ id, PlatformId, email }: User): Promise<void> {
    await this.users.voidMailed(id);
    if (email === null) return;
    const { name: platform } = await this.platforms.summary(PlatformId);
    await this.mail.send(email, { name: 'email-changed', values: { platform } });
  }

  private async checkAdminChanges(user: User, dto: SaveUserDto): Promise<void> {
    if (dto.PlatformId !== undefined && dto.PlatformId !== user.PlatformId) {
      throw new ForbiddenError('A user cannot move to another platform.');
    }
    const after = { ...user, role: dto.role ?? user.role, status: dto.status ?? user.status };
    if (!isActiveAdmin(after, this.clock.now())) await this.lastAdmin.keep(user);
  }

  private async refusePrivilegedChanges(user: User, dto: SaveUserDto): Promise<void> {
    const changed: string[] = PRIVILEGED_FIELDS.filter(
      (field) => dto[field] !== undefined && dto[field] !== user[field],
    );
    if (dto.email !== undefined && emailKey(dto.email) !== user.emailKey) changed.push('email');
    const groups = await this.groups.ofUser(user.PlatformId, user.id);
    const tags = await this.users.accessTags(user);
    if (dto.GroupIds && !sameIds(dto.GroupIds, groups)) changed.push('GroupIds');
    if (dto.AccessTagIds && !sameIds(dto.AccessTagIds, tags)) changed.push('AccessTagIds');
    if (changed.length > 0) {
      throw new RoleForbiddenError(changed.map((field) => ({ field, issue: 'only admins change it' })));
    }
  }

  /** @returns the names of the fields that changed something */
  private async replaceMemberships(user: User, { GroupIds, AccessTagIds }: SaveUserDto): Promise<string[]> {
    const platformId = user.PlatformId;
    refuseUnknownIds({
      GroupIds: await this.groups.unknownIds(platformId, GroupIds ?? []),
      AccessTagIds: await this.accessTags.unknownIds(platformId, AccessTagIds ?? []),
    });
    const changed: string[] = [];
    // Tags before groups: which of the groups the user belongs to by tag rule goes by the tags that they have then.
    if (AccessTagIds && (await this.accessTags.replaceAllOf(user, AccessTagIds)))
      changed.push('AccessTagIds');
    if (GroupIds && (await this.groups.replaceMemberships(platformId, user.id, GroupIds))) {
      changed.push('GroupIds');
    }
    return changed;
  }
}

const eventOf = (
  { id, PlatformId }: User,
  caller: Caller | null,
  action: string,
  fields: string[] = [],
): AuditEvent => ({
  platformId: PlatformId,
  actorId: caller?.userId ?? null,
  action,
  target: { type: 'user', id },
  fields,
});

/** What was said of a new user, apart from where they belong. */
const namesOf = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || name === 'id' || name === 'PlatformId' ? [] : [name],
  );

const sameIds = (wanted: number[], records: { id: number }[]): boolean => {
  const stored = new Set(records.map(({ id }) => id));
  return new Set(wanted).size === stored.size && wanted.every((id) => stored.has(id));
};
