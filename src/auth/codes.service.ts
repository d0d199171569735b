import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { mac, randomCode } from '#libs/crypto';
import { Database } from '#libs/database';
import { MailService } from '../mail/mail.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { User } from '../users/user.entity';
import { CodesRepository } from './codes.repository';

const DIGITS = 6;
const VALID_SECONDS = 10 * 60;
const PAUSE_SECONDS = 60;

/** One-time codes that show that someone reads the mail of an address. */
@Injectable()
export class CodesService {
  constructor(
    private readonly db: Database,
    private readonly codes: CodesRepository,
    private readonly mail: MailService,
    private readonly platforms: PlatformsService,
    private readonly settings: Settings,
  ) {}

  /** Mails a new code, unless one went out a moment ago. Only its HMAC is stored. */
  async send(user: User): Promise<void> {
    const { email } = user;
    if (email === null) return;
    const code = randomCode(DIGITS);
    const { name: platform } = await this.platforms.summary(user.PlatformId);
    await this.db.transaction(async () => {
      const key = this.settings.ENCRYPTION_KEY[0] ?? '';
      const added = await this.codes.add(user, mac(key, 'code', user.id, code), VALID_SECONDS, PAUSE_SECONDS);
      if (!added) return;
      const values = { platform, code, minutes: VALID_SECONDS / 60 };
      await this.mail.send(email, { name: 'sign-in-code', values });
    });
  }
}
