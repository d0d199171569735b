import { Injectable } from '@nestjs/common';
import { Database, databaseError } from '#libs/database';
import { ForbiddenError } from '#libs/errors';
import { Events, type Heard } from '#libs/events';
import { Outbox } from '#libs/queue';
import { MailService } from '../kernel/mail/mail.service';
import { PlatformsService } from '../platforms/platforms.service';
import { UsersService } from '../users/users.service';
import { USER_SIGNED_UP, type UserSignedUp } from './auth.events';
import { type AddressPayload, SEND_CODE, SIGN_UP } from './auth.queue';
import { CODE_SECONDS, CodesService } from './codes.service';
import type { AddressDto, CodeSentDto, SignUpDto } from './dto/sign-up.dto';

/** Codes and accounts for addresses that someone typed in. What is known of an address never shows. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly events: Events,
    private readonly users: UsersService,
    private readonly platforms: PlatformsService,
    private readonly codes: CodesService,
    private readonly mail: MailService,
  ) {}

  async requestCode({ email, PlatformId }: AddressDto): Promise<CodeSentDto> {
    await this.codes.countRequest(PlatformId, email);
    await this.outbox.add(SEND_CODE, { email, PlatformId });
    return { message: 'If the address is known, a code is on its way.', expiresIn: CODE_SECONDS };
  }

  async signUp({ email, name, PlatformId, website }: SignUpDto): Promise<CodeSentDto> {
    if (!(await this.platforms.settings(PlatformId)).signup)
      throw new ForbiddenError('Sign-up is closed here.');
    await this.codes.countRequest(PlatformId, email);
    // A field that no person sees: who fills it in is a machine, and gets the same answer.
    if (!website) await this.outbox.add(SIGN_UP, { email, name, PlatformId });
    return { message: 'Check your mail for a code.', expiresIn: CODE_SECONDS };
  }

  /** Runs in the background. */
  async sendCode({ email, PlatformId }: AddressPayload): Promise<void> {
    const user = await this.users.findByEmail(PlatformId, email);
    if (user) await this.codes.sendSignIn(user);
  }

  /** Runs in the background, perhaps twice: an account that is there already only gets its mail. */
  async complete({ email, name, PlatformId }: AddressPayload & { name: string }): Promise<void> {
    if (!(await this.platforms.exists(PlatformId))) return;
    const user =
      (await this.users.findByEmail(PlatformId, email)) ?? (await this.addPending(email, name, PlatformId));
    if (user?.status === 'pending') await this.codes.sendSignIn(user);
    else if (user?.email) {
      const { name: platform } = await this.platforms.summary(PlatformId);
      await this.mail.send(user.email, { name: 'already-a-member', values: { platform } });
    }
  }

  /** Runs in the background, perhaps twice: no second code goes out within a minute. */
  async sendFirstCodes(signUps: readonly Heard<UserSignedUp>[]): Promise<void> {
    for (const { payload } of signUps) {
      const user = await this.users.find(payload.platformId, payload.userId);
      if (user?.status === 'pending') await this.codes.sendSignIn(user);
    }
  }

  /** @returns null, or who signed up with the address at the same moment */
  private async addPending(email: string, name: string, PlatformId: number) {
    try {
      await this.db.transaction(async () => {
        const pending = { PlatformId, email, name, role: 'free', status: 'pending' } as const;
        const { id } = await this.users.add(pending, 'user.sign-up');
        await this.events.publish(USER_SIGNED_UP, { platformId: PlatformId, userId: id });
      });
      return null;
    } catch (error) {
      if (databaseError(error)?.status !== 400) throw error;
      return this.users.findByEmail(PlatformId, email);
    }
  }
}
