import { Injectable } from '@nestjs/common';
import { databaseError } from '#libs/database';
import { ForbiddenError } from '#libs/errors';
import { Outbox } from '#libs/queue';
import { MailService } from '../kernel/mail/mail.service';
import { PlatformsService } from '../platforms/platforms.service';
import { UsersService } from '../users/users.service';
import { type AddressPayload, SEND_CODE, SIGN_UP } from './auth.queue';
import { CODE_SECONDS, CodesService } from './codes.service';
import type { AddressDto, CodeSentDto, SignUpDto } from './dto/sign-up.dto';

/** Codes and accounts for addresses that someone typed in. What is known of an address never shows. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly outbox: Outbox,
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

  private async addPending(email: string, name: string, PlatformId: number) {
    try {
      return await this.users.add(
        { PlatformId, email, name, role: 'free', status: 'pending' },
        'user.sign-up',
      );
    } catch (error) {
      // Someone signed up with the address at the same moment.
      if (databaseError(error)?.status !== 400) throw error;
      return this.users.findByEmail(PlatformId, email);
    }
  }
}
