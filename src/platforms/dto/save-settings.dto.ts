import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { IsOmittable, IsOrigins, IsTexts } from '#libs/http';
import { VISIBILITIES, type Visibility } from '../../content/content-terms';
import type { PlatformSettings } from '../platform-settings';

const YEAR_MINUTES = 366 * 24 * 60;

/** What admins decide about how their platform works. What is left out stays. */
export class SaveSettingsDto implements Partial<PlatformSettings> {
  @IsOmittable()
  @IsIn(VISIBILITIES)
  @ApiProperty({ enum: VISIBILITIES, example: 'members', description: 'Of content that names none.' })
  defaultVisibility?: Visibility;

  /**
   * Whether members see that there is something they may not open.
   * @example true
   */
  @IsOmittable()
  @IsBoolean()
  showTeasers?: boolean;

  /**
   * Whether comments of non-staff wait for approval.
   * @example false
   */
  @IsOmittable()
  @IsBoolean()
  commentsRequireApproval?: boolean;

  /**
   * Minutes in which an author may edit a comment; 0 is no limit.
   * @example 15
   */
  @IsOmittable()
  @IsInt()
  @Min(0)
  @Max(YEAR_MINUTES)
  commentEditMinutes?: number;

  /**
   * Emoji that may be used as reactions; empty is any.
   * @example ["heart", "👍"]
   */
  @IsOmittable()
  @IsTexts(200, 64)
  allowedEmoji?: string[];

  /**
   * Origins, besides the homepage's, from which browsers may call.
   * @example ["https://app.harbour.example.org"]
   */
  @IsOmittable()
  @IsOrigins()
  allowedOrigins?: string[];
}
