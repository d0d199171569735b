import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsObject, Max, Min, ValidateIf } from 'class-validator';
import { IsNested, IsOmittable, IsOrigins, IsTexts, MAX_ID } from '#libs/http';
import { VISIBILITIES, type Visibility } from '../../kernel/access/visibilities';
import type { AiSettings, PlatformSettings } from '../platform-settings';

const YEAR_MINUTES = 366 * 24 * 60;

export class AiSettingsDto implements AiSettings {
  /** @example false */
  @IsBoolean()
  enabled!: boolean;

  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(MAX_ID)
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'Tokens a month; null is no cap.',
  })
  monthlyTokenCap!: number | null;
}

/** What admins decide about how their platform works. What is left out stays. */
export class SaveSettingsDto implements Partial<PlatformSettings> {
  /**
   * Whether visitors may sign up by themselves.
   * @example true
   */
  @IsOmittable()
  @IsBoolean()
  signup?: boolean;

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

  /**
   * Words and phrases that comments and posts may not hold, besides the bundled lists; `bad.example` is a domain.
   * @example ["landlubber"]
   */
  @IsOmittable()
  @IsTexts(500, 100)
  blockedWords?: string[];

  /**
   * Origins whose pages may frame embedded content.
   * @example ["https://harbour.example.org"]
   */
  @IsOmittable()
  @IsOrigins()
  embedOrigins?: string[];

  @IsOmittable()
  @IsObject()
  @IsNested(() => AiSettingsDto)
  ai?: AiSettingsDto;
}
