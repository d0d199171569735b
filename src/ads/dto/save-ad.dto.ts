import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import {
  IsClearable,
  IsId,
  IsIds,
  IsInstant,
  IsOmittable,
  IsPublicUrl,
  IsText,
  IsTitle,
  IsWebUrl,
} from '#libs/http';
import { type Role, ROLES } from '../../kernel/callers/roles';
import { AD_STATUSES, type AdStatus, type Placement, PLACEMENTS } from '../ad-terms';

/** An ad to add, or to edit when `id` is present. What is left out on update stays. */
export class SaveAdDto {
  /**
   * Present: update. Absent or null: create.
   * @example 1
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create.
   * @example "Winter storage"
   */
  @IsOmittable()
  @IsTitle(1, 300)
  title?: string;

  /**
   * HTML; what is not allowed in a comment is removed.
   * @example "<p>Dry and under a roof.</p>"
   */
  @IsClearable()
  @IsText(10_000)
  body?: string | null;

  /** @example "https://example.org/storage.jpg" */
  @IsClearable()
  @IsPublicUrl()
  imageUrl?: string | null;

  /**
   * Required on create.
   * @example "https://example.org/storage"
   */
  @IsOmittable()
  @IsWebUrl()
  linkUrl?: string;

  /** @example "Book a berth" */
  @IsClearable()
  @IsTitle(1, 100)
  callToAction?: string | null;

  @IsOmittable()
  @IsIn(PLACEMENTS)
  @ApiProperty({ enum: PLACEMENTS, example: 'collection', description: 'Required on create.' })
  placement?: Placement;

  /**
   * The collections that it runs on; with placement `collection` and none it runs on all.
   * @example [7]
   */
  @IsOmittable()
  @IsIds()
  CollectionIds?: number[];

  @IsOmittable()
  @IsArray()
  @ArrayMaxSize(ROLES.length)
  @IsIn(ROLES, { each: true })
  @ApiProperty({
    enum: ROLES,
    isArray: true,
    example: ['free'],
    description: 'Who sees it; empty is everyone.',
  })
  roles?: Role[];

  @IsOmittable()
  @IsArray()
  @ArrayMaxSize(ROLES.length)
  @IsIn(ROLES, { each: true })
  @ApiProperty({ enum: ROLES, isArray: true, example: ['premium'], description: 'Who does not see it.' })
  excludeRoles?: Role[];

  /**
   * From this instant on it runs. Without an offset it is read in the platform's timezone.
   * @example "2026-01-05T09:30:00.000Z"
   */
  @IsClearable()
  @IsInstant()
  startDate?: string | null;

  /**
   * After this instant it runs no more.
   * @example null
   */
  @IsClearable()
  @IsInstant()
  endDate?: string | null;

  @IsOmittable()
  @IsIn(AD_STATUSES)
  @ApiProperty({ enum: AD_STATUSES, default: 'draft', description: 'Only active ads run.' })
  status?: AdStatus;

  /**
   * The higher comes first.
   * @example 10
   */
  @IsOmittable()
  @IsInt()
  @Min(0)
  @Max(100)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, default: 0 })
  priority?: number;
}
