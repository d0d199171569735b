import { IsBoolean } from 'class-validator';
import { IsClearable, IsInstant, IsOmittable, IsTitle } from '#libs/http';

export class BanUserDto {
  /** @example "Advertising, after two warnings." */
  @IsTitle(1, 500)
  reason!: string;

  /**
   * When it ends, which is not in the past; null is never. Without an offset it is read in the platform's timezone.
   * @example "2026-12-31T23:59:59.000Z"
   */
  @IsClearable()
  @IsInstant()
  until?: string | null;

  /**
   * Whether the user is signed out everywhere as well.
   * @example false
   */
  @IsOmittable()
  @IsBoolean()
  endSessions: boolean = false;
}

export class RedeemTokenDto {
  /** @example "sail-2026" */
  @IsTitle(1, 200)
  code!: string;
}
