import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsObject } from 'class-validator';
import {
  IsArticle,
  IsClearable,
  IsId,
  IsIds,
  IsInstant,
  IsOmittable,
  IsPublicUrl,
  IsSlug,
  IsTitle,
  MaxJsonBytes,
} from '#libs/http';
import { TIERS, type Tier } from '../../kernel/callers/roles';
import { VISIBILITIES, type Visibility } from '../../kernel/access/visibilities';
import { CONTENT_TYPES, type ContentType } from '../content-types';

/** A content item to add, or to edit when `id` is present. What is left out on update stays. */
export class SaveContentDto {
  /**
   * Present: update. Absent or null: create.
   * @example 41
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create, save for a member's post.
   * @example "Reading the tide tables"
   */
  @IsOmittable()
  @IsTitle(1, 300)
  title?: string;

  /**
   * HTML; what is not allowed in it is removed.
   * @example "<p>Start with the springs.</p>"
   */
  @IsOmittable()
  @IsArticle()
  description?: string;

  @IsOmittable()
  @IsIn(CONTENT_TYPES)
  @ApiProperty({ enum: CONTENT_TYPES, example: 'article', description: 'Required on create.' })
  type?: ContentType;

  @IsOmittable()
  @IsIn(VISIBILITIES)
  @ApiProperty({ enum: VISIBILITIES, example: 'members', description: "The platform's default when absent." })
  visibility?: Visibility;

  /**
   * Made from the title when absent, and stable when that changes.
   * @example "reading-the-tide-tables"
   */
  @IsOmittable()
  @IsSlug()
  slug?: string;

  /**
   * Gate: members of any of these groups.
   * @example [1]
   */
  @IsOmittable()
  @IsIds()
  GroupIds?: number[];

  /**
   * Gate: holders of any of these access tags.
   * @example [3]
   */
  @IsOmittable()
  @IsIds()
  AccessTagIds?: number[];

  @IsClearable()
  @IsIn(TIERS)
  @ApiProperty({
    enum: TIERS,
    nullable: true,
    example: null,
    description: 'Gate: this tier or a higher one.',
  })
  requiredRole?: Tier | null;

  /** @example [5] */
  @IsOmittable()
  @IsIds()
  KeywordIds?: number[];

  /** @example "https://example.org/tides.jpg" */
  @IsClearable()
  @IsPublicUrl()
  featuredImage?: string | null;

  /** @example "https://example.org/tides.mp4" */
  @IsClearable()
  @IsPublicUrl()
  video?: string | null;

  /** @example "https://example.org/tides.pdf" */
  @IsClearable()
  @IsPublicUrl()
  contentURI?: string | null;

  /**
   * Whether comments are open.
   * @example true
   */
  @IsOmittable()
  @IsBoolean()
  chatEnabled?: boolean;

  /** @example false */
  @IsOmittable()
  @IsBoolean()
  featured?: boolean;

  @IsClearable()
  @IsObject()
  @MaxJsonBytes(32 * 1024)
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { layout: 'wide' } })
  options?: Record<string, unknown> | null;

  /**
   * Without an offset it is read in the platform's timezone.
   * @example "2026-02-01T08:00:00.000Z"
   */
  @IsClearable()
  @IsInstant()
  publishedDate?: string | null;

  /** @example null */
  @IsClearable()
  @IsInstant()
  expireDate?: string | null;

  /**
   * The author: another user of the platform may be named by admins.
   * @example 12
   */
  @IsOmittable()
  @IsId()
  UserId?: number;
}
