import { ApiProperty } from '@nestjs/swagger';
import { NamedDto, TitledDto } from '#libs/http';
import { AuthorDto } from '../../kernel/people/author.dto';
import { VISIBILITIES, type Visibility } from '../../kernel/access/visibilities';
import { CONTENT_TYPES, type ContentType } from '../content-types';

/** A content item as lists show it. */
export class ContentCardDto {
  /** @example 41 */
  id!: number;

  /** @example "Reading the tide tables" */
  title!: string;

  /** @example "reading-the-tide-tables" */
  slug!: string;

  /**
   * Sanitised HTML; of a locked item the first 200 characters of its text, escaped.
   * @example "<p>Start with the springs.</p>"
   */
  description!: string;

  @ApiProperty({ enum: CONTENT_TYPES, example: 'article' })
  type!: ContentType;

  @ApiProperty({ enum: VISIBILITIES, example: 'members' })
  visibility!: Visibility;

  /** @example "https://example.org/tides.jpg" */
  featuredImage!: string | null;

  /** @example false */
  featured!: boolean;

  /**
   * Whether comments are open.
   * @example true
   */
  chatEnabled!: boolean;

  /**
   * Before this instant the item counts as unpublished.
   * @example "2026-02-01T08:00:00.000Z"
   */
  publishedDate!: Date | null;

  /**
   * After this instant the item counts as expired.
   * @example null
   */
  expireDate!: Date | null;

  /** @example "2026-01-28T10:12:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-28T10:12:00.000Z" */
  updatedAt!: Date;

  /** @example 1 */
  PlatformId!: number;

  /**
   * Author.
   * @example 12
   */
  UserId!: number;

  /** Those groups of the item whose existence the viewer may see. */
  Groups!: NamedDto[];

  Keywords!: TitledDto[];

  User!: AuthorDto;

  /** @example 3 */
  commentCount!: number;

  /** @example 120 */
  viewCount!: number;

  /**
   * Whether this is only a teaser of something for members that the viewer may not open.
   * @example false
   */
  locked!: boolean;
}

/** A whole content item. */
export class ContentDto extends ContentCardDto {
  /** @example "https://example.org/tides.pdf" */
  contentURI!: string | null;

  /** @example "https://example.org/tides.mp4" */
  video!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { layout: 'wide' } })
  options!: Record<string, unknown> | null;
}
