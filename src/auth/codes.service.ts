import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { mac, randomCode } from '#libs/crypto';
import { Database } from '#libs/database';
import { addressKey, currentIp, RateLimits } from '#libs/http';
import { emailKey } from '#libs/text';
import { MailService } from '../kernel/mail/mail.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { User } from '../users/user.entity';
import { InvalidOtpError } from './auth.errors';
import { type CodePurpose, CodesRepository, type CodeTry } from './codes.repository';
import { FailuresRepository } from './failures.repository';

const DIGITS = 6;
export const CODE_SECONDS = 10 * 60;
const PAUSE_SECONDS = 60;
/** No user has this id: what is counted of it is counted of nobody. */
export const NOBODY = 0;

/** One-time codes that show that someone reads the mail of an address. Only their HMAC is stored. */
@Injectable()
export class CodesService {
  constructor(
    private readonly db: Database,
    private readonly codes: CodesRepository,
    private readonly failures: FailuresRepository,
    private readonly mail: MailService,
    private readonly platforms: PlatformsService,
    private readonly rates: RateLimits,
    private readonly settings: Settings,
  ) {}

  /** Counts that someone asks for a code to the address, whether anyone is known by it or not. */
  async countRequest(platformId: number, email: string): Promise<void> {
    await this.rates.attempt('codeByAccount', `${platformId}:${emailKey(email)}`);
    await this.rates.attempt('codeByAddress', addressKey(currentIp()));
  }

  /** Mails a new code for signing in, unless one went out a moment ago. */
  async sendSignIn(user: User): Promise<void> {
    await this.send(user, 'sign-in', user.email);
  }

  /** Mails a code to an address that the user wants to have. */
  async sendChangeEmail(user: User, newEmail: string): Promise<void> {
    await this.send(user, 'change-email', newEmail);
  }

  /**
   * Takes one try at the newest code. Whoever is not known, has no code to guess or has been stopped takes the same
   * steps, and nothing is counted: a stranger must not stop somebody's codes.
   * @throws InvalidOtpError when it is wrong, used, replaced or expired, or too many were wrong
   */
  async verify(userId: number, purpose: CodePurpose, otp: string): Promise<CodeTry> {
    const stopped = await this.failures.codesStopped(userId);
    const found = await this.codes.countTry(stopped ? NOBODY : userId, purpose);
    const right =
      found !== null && this.macs(userId, purpose, otp).some((candidate) => candidate.equals(found.mac));
    if (!right) {
      await this.failures.countCode(found ? userId : NOBODY);
      throw new InvalidOtpError();
    }
    return found;
  }

  /** Within the transaction of what the code allows. @throws InvalidOtpError when another call was first */
  async use(userId: number, { id }: CodeTry): Promise<void> {
    if (!(await this.codes.use(id))) throw new InvalidOtpError();
    await this.failures.forgetCodes(userId);
  }

  private async send(user: User, purpose: CodePurpose, to: string | null): Promise<void> {
    if (to === null) return;
    const code = randomCode(DIGITS);
    const [newest] = this.macs(user.id, purpose, code);
    const { name: platform } = await this.platforms.summary(user.PlatformId);
    await this.db.transaction(async () => {
      const timing = { validSeconds: CODE_SECONDS, pauseSeconds: PAUSE_SECONDS };
      const newEmail = purpose === 'change-email' ? to : null;
      if (!newest || !(await this.codes.add(user, purpose, newest, { ...timing, newEmail }))) return;
      await this.mail.send(to, { name: purpose, values: { platform, code, minutes: CODE_SECONDS / 60 } });
    });
  }

  /** Under the key of today and, while it rotates, the one before. */
  private macs(userId: number, purpose: CodePurpose, code: string): Buffer[] {
    const digits = code.replace(/[\s-]/g, '');
    return this.settings.ENCRYPTION_KEY.map((key) => mac(key, 'code', purpose, userId, digits));
  }
}
