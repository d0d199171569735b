import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import { Database } from '#libs/database';
import { Outbox } from '#libs/queue';
import { AuditService } from '../kernel/audit/audit.service';
import { MailService } from '../kernel/mail/mail.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { User } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { InvalidTokenError } from './auth.errors';
import { type AddressPayload, SEND_RESET } from './auth.queue';
import type { MessageDto } from './dto/auth.dto';
import type { AddressDto, ResetPasswordDto } from './dto/sign-up.dto';
import { FailuresRepository } from './failures.repository';
import { ResetsRepository } from './resets.repository';

const TOKEN_BYTES = 32;
const VALID_MINUTES = 60;
const MOST_PER_HOUR = 2;
const HOUR_MS = 60 * 60 * 1000;

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Forgotten passwords: a link by mail, good for one new password within the hour. */
@Injectable()
export class ResetService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly resets: ResetsRepository,
    private readonly failures: FailuresRepository,
    private readonly users: UsersService,
    private readonly platforms: PlatformsService,
    private readonly mail: MailService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async request(address: AddressDto): Promise<MessageDto> {
    await this.outbox.add(SEND_RESET, { email: address.email, PlatformId: address.PlatformId });
    return { message: 'If the address is known, a link is on its way.' };
  }

  /** Runs in the background, perhaps twice: the newest link is the one that works. */
  async send({ email, PlatformId }: AddressPayload): Promise<void> {
    const user = await this.users.findByEmail(PlatformId, email);
    if (!user?.email) return;
    const to = user.email;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { name: platform, url } = await this.platforms.homepage(PlatformId);
    const link = `${url ?? this.settings.PUBLIC_URL}/reset-password?token=${token}`;
    await this.db.transaction(async () => {
      const now = this.clock.now().getTime();
      if ((await this.resets.countSince(user.id, new Date(now - HOUR_MS))) >= MOST_PER_HOUR) return;
      await this.resets.add(user, digest(token), new Date(now + VALID_MINUTES * 60_000));
      await this.mail.send(to, {
        name: 'reset-password',
        values: { platform, link, minutes: VALID_MINUTES },
      });
    });
  }

  /** @throws InvalidTokenError; ValidationError for a weak password, after which the link still works */
  async complete({ token, password }: ResetPasswordDto): Promise<MessageDto> {
    const reset = await this.resets.findOpen(digest(token));
    if (!reset) throw new InvalidTokenError();
    const user = await this.users.find(reset.PlatformId, reset.UserId);
    if (!user) throw new InvalidTokenError();
    const passwordHash = await this.users.hashPassword(user, password);
    await this.db.transaction(async () => {
      if (!(await this.resets.use(reset.id))) throw new InvalidTokenError();
      await this.replace(user, passwordHash, user.id);
    });
    return { message: 'The password was changed. Sign in with the new one.' };
  }

  /** @throws ValidationError for a weak password */
  async byOperator(user: User, password: string): Promise<void> {
    const passwordHash = await this.users.hashPassword(user, password);
    await this.db.transaction(() => this.replace(user, passwordHash, null));
  }

  /** A new password ends what anyone may have begun with the old one: sessions, codes and counted failures. */
  private async replace(user: User, passwordHash: string, actorId: number | null): Promise<void> {
    const { id, PlatformId: platformId } = user;
    await this.users.replacePassword(user, passwordHash);
    await this.failures.forgetAll(id);
    await this.audit.record({
      platformId,
      actorId,
      action: 'user.reset-password',
      target: { type: 'user', id },
      fields: ['password'],
    });
    await this.sendNotice(platformId, user.email);
  }

  private async sendNotice(platformId: number, email: string | null): Promise<void> {
    if (email === null) return;
    const { name: platform } = await this.platforms.summary(platformId);
    await this.mail.send(email, { name: 'password-changed', values: { platform } });
  }
}
