import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { IsArticle, IsClearable, IsId, IsIds, IsOmittable, IsSlug, IsTitle, IsWebUrl } from '#libs/http';
import {
  GROUP_VISIBILITIES,
  type GroupVisibility,
  JOIN_POLICIES,
  type JoinPolicy,
  POST_POLICIES,
  type PostPolicy,
} from '../group-terms';

/** A group to add, or to edit when `id` is present. What is left out on update stays. */
export class SaveGroupDto {
  /**
   * Present: update. Absent: create.
   * @example 1
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create.
   * @example "Skippers"
   */
  @IsOmittable()
  @IsTitle(1, 100)
  name?: string;

  /**
   * Made from the name when absent.
   * @example "skippers"
   */
  @IsOmittable()
  @IsSlug()
  slug?: string;

  /**
   * HTML; what is not allowed in it is removed.
   * @example "<p>Those who hold the tiller.</p>"
   */
  @IsClearable()
  @IsArticle()
  description?: string | null;

  /** @example "https://example.org/skippers.jpg" */
  @IsClearable()
  @IsWebUrl()
  photoUrl?: string | null;

  /** @example "https://example.org/skippers-banner.jpg" */
  @IsClearable()
  @IsWebUrl()
  bannerImageUrl?: string | null;

  @IsOmittable()
  @IsIn(GROUP_VISIBILITIES)
  @ApiProperty({ enum: GROUP_VISIBILITIES, default: 'members', description: 'Who sees that it exists.' })
  visibility?: GroupVisibility;

  @IsOmittable()
  @IsIn(JOIN_POLICIES)
  @ApiProperty({ enum: JOIN_POLICIES, default: 'closed' })
  joinPolicy?: JoinPolicy;

  @IsOmittable()
  @IsIn(POST_POLICIES)
  @ApiProperty({ enum: POST_POLICIES, default: 'members', description: 'Who may post in it.' })
  postPolicy?: PostPolicy;

  /**
   * Holders of any of these tags are members by rule.
   * @example [3]
   */
  @IsOmittable()
  @IsIds()
  AccessTagIds?: number[];

  /** @example false */
  @IsOmittable()
  @IsBoolean()
  archived?: boolean;
}
