import { ApiProperty } from '@nestjs/swagger';
import { NamedDto } from '#libs/http';
import { CONTENT_TYPES, type ContentType } from '../../content/content-types';
import { VISIBILITIES, type Visibility } from '../../kernel/access/visibilities';

/** A content item as the search answers it. */
export class FoundContentDto {
  /** @example 41 */
  id!: number;

  /** @example "Reading the tide tables" */
  title!: string;

  /** @example "<p>Start with the springs.</p>" */
  description!: string;

  @ApiProperty({ enum: CONTENT_TYPES, example: 'article' })
  type!: ContentType;

  @ApiProperty({ enum: VISIBILITIES, example: 'members' })
  visibility!: Visibility;

  author!: NamedDto;

  /** @example "2026-01-28T10:12:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-28T10:12:00.000Z" */
  updatedAt!: Date;
}

export class FoundContentsDto {
  items!: FoundContentDto[];
}
