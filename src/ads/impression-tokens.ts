import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import { mac, sameSecret } from '#libs/crypto';
import { InvalidImpressionTokenError } from './ads.errors';

const TOKEN_HOURS = 24;
const NONCE_BYTES = 12;
const FORMAT = /^(\d{13})\.([\w-]{16})\.([\w-]{43})$/;

/**
 * Shows that the service itself showed an ad to someone: `<end>.<nonce>.<mac>`. The nonce is what is counted
 * once; nothing is stored until then.
 */
@Injectable()
export class ImpressionTokens {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  issue(adId: number): string {
    const end = this.clock.now().getTime() + TOKEN_HOURS * 3_600_000;
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const [newest] = this.macs(adId, end, nonce);
    return `${end}.${nonce}.${newest}`;
  }

  /** @throws InvalidImpressionTokenError when it was not issued for this ad, or a day ago */
  nonceOf(adId: number, token: string): string {
    const [, end, nonce, given] = FORMAT.exec(token) ?? [];
    if (!end || !nonce || !given || Number(end) < this.clock.now().getTime()) {
      throw new InvalidImpressionTokenError();
    }
    const genuine = this.macs(adId, Number(end), nonce).some((expected) => sameSecret(given, expected));
    if (!genuine) throw new InvalidImpressionTokenError();
    return nonce;
  }

  /** Under the key of today and, while it rotates, the one before. */
  private macs(adId: number, end: number, nonce: string): string[] {
    return this.settings.ENCRYPTION_KEY.map((key) =>
      mac(key, 'ad-impression', adId, end, nonce).toString('base64url'),
    );
  }
}
