import { IsBoolean, IsInt, Max, Min } from 'class-validator';
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
  MAX_ID,
} from '#libs/http';

/** A collection to add, or to edit when `id` is present. What is left out on update stays. */
export class SaveCollectionDto {
  /**
   * Present: update. Absent or null: create.
   * @example 7
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create.
   * @example "Start here"
   */
  @IsOmittable()
  @IsTitle(1, 300)
  name?: string;

  /**
   * HTML; what is not allowed in it is removed.
   * @example "<p>For those who have just joined.</p>"
   */
  @IsClearable()
  @IsArticle()
  description?: string | null;

  /**
   * Made from the name when absent.
   * @example "start-here"
   */
  @IsOmittable()
  @IsSlug(120)
  slug?: string;

  /** @example "https://example.org/start.jpg" */
  @IsClearable()
  @IsPublicUrl()
  collectionBGImage?: string | null;

  /**
   * Display order; the last when absent.
   * @example 1
   */
  @IsOmittable()
  @IsInt()
  @Min(0)
  @Max(MAX_ID)
  position?: number;

  /**
   * Without an offset it is read in the platform's timezone.
   * @example null
   */
  @IsClearable()
  @IsInstant()
  expireDate?: string | null;

  /** @example null */
  @IsClearable()
  @IsInstant()
  publishedDate?: string | null;

  /** @example "default" */
  @IsOmittable()
  @IsTitle(1, 100)
  collectionType?: string;

  /**
   * `most recent first`, `oldest first`, `alphabetical`, `reverse alphabetical`, `manual` (the order of
   * ContentIds), `most popular`, `most discussed` or `featured first`; anything else acts as the first.
   * @example "most recent first"
   */
  @IsOmittable()
  @IsTitle(0, 100)
  sortPreference?: string;

  /**
   * The caller's own platform.
   * @example 1
   */
  @IsOmittable()
  @IsId()
  PlatformId?: number;

  /**
   * Owner: another user of the platform may be named by admins.
   * @example 12
   */
  @IsOmittable()
  @IsId()
  UserId?: number;

  /** @example true */
  @IsOmittable()
  @IsBoolean()
  showOnHomepage?: boolean;

  /**
   * Gate: members of any of these groups.
   * @example [1]
   */
  @IsOmittable()
  @IsIds()
  GroupIds?: number[];

  /**
   * What the collection holds, in this order.
   * @example [41, 42]
   */
  @IsOmittable()
  @IsIds()
  ContentIds?: number[];
}
