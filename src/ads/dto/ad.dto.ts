import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '#libs/http';
import { type Role, ROLES } from '../../kernel/callers/roles';
import { AD_STATUSES, type AdStatus, type Placement, PLACEMENTS } from '../ad-terms';

/** An advertisement as visitors see it. */
export class PublicAdDto {
  /** @example 1 */
  id!: number;

  /** @example "Winter storage" */
  title!: string;

  /**
   * Sanitised HTML.
   * @example "<p>Dry and under a roof.</p>"
   */
  body!: string | null;

  /** @example "https://example.org/storage.jpg" */
  imageUrl!: string | null;

  /** @example "https://example.org/storage" */
  linkUrl!: string;

  /** @example "Book a berth" */
  callToAction!: string | null;

  @ApiProperty({ enum: PLACEMENTS, example: 'collection' })
  placement!: Placement;

  /**
   * The higher comes first.
   * @example 10
   */
  priority!: number;
}

/** An ad that runs now. */
export class RunningAdDto extends PublicAdDto {
  /**
   * To be sent back when the ad was seen or clicked; good for this ad and for 24 hours.
   * @example "1767225600000.R3k9x1QmZpL0aBcD.4Jm1pQ2vTq8w0aXbYcZdEeFfGgHhIiJjKkLlMmNnOoP"
   */
  impressionToken!: string;
}

/** An ad as those who manage it see it. */
export class AdDto extends PublicAdDto {
  /** @example 1 */
  PlatformId!: number;

  /**
   * Owner.
   * @example 12
   */
  UserId!: number;

  /**
   * The collections that it runs on; with placement `collection` and none it runs on all.
   * @example [7]
   */
  CollectionIds!: number[];

  @ApiProperty({
    enum: ROLES,
    isArray: true,
    example: ['free'],
    description: 'Who sees it; empty is everyone.',
  })
  roles!: Role[];

  @ApiProperty({ enum: ROLES, isArray: true, example: ['premium'], description: 'Who does not see it.' })
  excludeRoles!: Role[];

  /**
   * From this instant on it runs.
   * @example "2026-01-05T09:30:00.000Z"
   */
  startDate!: Date | null;

  /**
   * After this instant it runs no more.
   * @example null
   */
  endDate!: Date | null;

  @ApiProperty({ enum: AD_STATUSES, example: 'active', description: 'Only active ads run.' })
  status!: AdStatus;

  /** @example 1200 */
  impressions!: number;

  /** @example 34 */
  clicks!: number;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;
}

export class AdPageDto extends PageDto(AdDto) {}

export class ClickedAdDto {
  /**
   * Where the ad leads.
   * @example "https://example.org/storage"
   */
  url!: string;
}
