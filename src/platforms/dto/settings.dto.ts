import { ApiProperty } from '@nestjs/swagger';
import { VISIBILITIES, type Visibility } from '../../kernel/access/visibilities';
import type { PlatformSettings } from '../platform-settings';
import { AiSettingsDto } from './save-settings.dto';

export class PushSettingsDto {
  /**
   * Whether a push project is connected.
   * @example false
   */
  connected!: boolean;

  /** @example null */
  projectId!: string | null;
}

/** How the platform works, defaults included. */
export class SettingsDto implements PlatformSettings {
  /** @example true */
  signup!: boolean;

  @ApiProperty({ enum: VISIBILITIES, example: 'members' })
  defaultVisibility!: Visibility;

  /** @example true */
  showTeasers!: boolean;

  /** @example false */
  commentsRequireApproval!: boolean;

  /** @example 0 */
  commentEditMinutes!: number;

  /** @example ["landlubber"] */
  blockedWords!: string[];

  /** @example ["heart"] */
  allowedEmoji!: string[];

  /** @example ["https://app.harbour.example.org"] */
  allowedOrigins!: string[];

  /** @example ["https://harbour.example.org"] */
  embedOrigins!: string[];

  push!: PushSettingsDto;

  ai!: AiSettingsDto;
}
