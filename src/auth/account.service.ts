import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ForbiddenError, ValidationError } from '#libs/errors';
import { type AddedOrEdited, addressKey, currentIp, RateLimits } from '#libs/http';
import { Outbox } from '#libs/queue';
import { AuditService } from '../kernel/audit/audit.service';
import { MailService } from '../kernel/mail/mail.service';
import { PasswordsService } from '../kernel/passwords/passwords.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller } from '../kernel/callers/caller';
import { SessionsService } from '../sessions/sessions.service';
import type { UserDto } from '../users/dto/user.dto';
import type { User } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { InvalidOtpError } from './auth.errors';
import { type AddressPayload, SEND_CHANGE_EMAIL } from './auth.queue';
import { CODE_SECONDS, CodesService } from './codes.service';
import type { MessageDto } from './dto/auth.dto';
import type { ChangeEmailDto, ChangePasswordDto, CodeSentDto, VerifyEmailDto } from './dto/sign-up.dto';

const FRESH_CODE_MS = 15 * 60 * 1000;

/** The signed-in user's own credentials. */
@Injectable()
export class AccountService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly codes: CodesService,
    private readonly platforms: PlatformsService,
    private readonly mail: MailService,
    private readonly rates: RateLimits,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async changePassword(
    caller: Caller,
    { currentPassword, password }: ChangePasswordDto,
  ): Promise<MessageDto> {
    const user = await this.users.get(caller.platformId, caller.userId);
    await this.requireOwner(caller, user, currentPassword);
    const passwordHash = await this.users.hashPassword(user, password);
    await this.db.transaction(async () => {
      await this.users.replacePassword(user, passwordHash, caller.sessionId);
      await this.record(caller, 'user.change-password', 'password');
    });
    return { message: 'The password was changed. Other sessions have ended.' };
  }

  /** The answer is the same for an address that someone else has. */
  async changeEmail(caller: Caller, { email, currentPassword }: ChangeEmailDto): Promise<CodeSentDto> {
    const user = await this.users.get(caller.platformId, caller.userId);
    await this.requireOwner(caller, user, currentPassword);
    await this.codes.countRequest(user.PlatformId, email);
    const { name: platform } = await this.platforms.summary(user.PlatformId);
    await this.db.transaction(async () => {
      await this.outbox.add(SEND_CHANGE_EMAIL, { email, PlatformId: user.PlatformId, userId: user.id });
      if (user.email) await this.mail.send(user.email, { name: 'email-changes', values: { platform } });
    });
    return { message: 'A code is on its way to the new address.', expiresIn: CODE_SECONDS };
  }

  /** Runs in the background, so that no time tells whether the address is taken. */
  async sendCode({ email, PlatformId, userId }: AddressPayload & { userId: number }): Promise<void> {
    const user = await this.users.find(PlatformId, userId);
    if (!user || user.deletedAt || (await this.users.findByEmail(PlatformId, email))) return;
    await this.codes.sendChangeEmail(user, email);
  }

  async verifyEmail(caller: Caller, { otp }: VerifyEmailDto): Promise<AddedOrEdited<UserDto>> {
    const user = await this.users.get(caller.platformId, caller.userId);
    const found = await this.codes.verify(user.id, 'change-email', otp);
    const { newEmail } = found;
    if (newEmail === null) throw new InvalidOtpError();
    return this.db.transaction(async () => {
      await this.codes.use(user.id, found);
      const changed = await this.users.changeEmail(user, newEmail);
      await this.sessions.endAllOf(user.id, caller.sessionId);
      await this.record(caller, 'user.change-email', 'email');
      return [changed, false];
    });
  }

  /** A stolen session alone must not be enough to take the account over. */
  private async requireOwner(caller: Caller, user: User, currentPassword: string | undefined): Promise<void> {
    if (user.passwordHash === null) {
      const openedAt = await this.sessions.openedAt(caller.sessionId);
      const fresh = openedAt !== null && this.clock.now().getTime() - openedAt.getTime() < FRESH_CODE_MS;
      if (caller.kind === 'otp' && fresh) return;
      throw new ForbiddenError('Sign in with a code first.');
    }
    if (currentPassword === undefined)
      throw ValidationError.of('currentPassword', 'currentPassword is required');
    const key = `${user.PlatformId}:${user.id}:${addressKey(currentIp())}`;
    await this.rates.attempt('signInByAccount', key);
    if (!(await this.passwords.verify(currentPassword, user.passwordHash))) {
      throw ValidationError.of('currentPassword', 'is wrong');
    }
    this.rates.forgive('signInByAccount', key, true);
  }

  private record({ platformId, userId }: Caller, action: string, field: string): Promise<void> {
    return this.audit.record({
      platformId,
      actorId: userId,
      action,
      target: { type: 'user', id: userId },
      fields: [field],
    });
  }
}
