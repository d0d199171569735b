import { PublicAdDto } from '../../ads/dto/ad.dto';
import { ContentDto } from '../../content/dto/content.dto';
import { PlatformDto } from '../../platforms/dto/platform.dto';

class CollectionFieldsDto {
  /** @example 7 */
  id!: number;

  /** @example "Start here" */
  name!: string;

  /**
   * Sanitised HTML.
   * @example "<p>For those who have just joined.</p>"
   */
  description!: string | null;

  /** @example "start-here" */
  slug!: string;

  /** @example "https://example.org/start.jpg" */
  collectionBGImage!: string | null;

  /**
   * Display order.
   * @example 1
   */
  position!: number;

  /**
   * After this instant the collection counts as expired.
   * @example null
   */
  expireDate!: Date | null;

  /**
   * Before this instant the collection counts as unpublished.
   * @example null
   */
  publishedDate!: Date | null;

  /** @example "default" */
  collectionType!: string;

  /**
   * Orders the contents.
   * @example "most recent first"
   */
  sortPreference!: string;

  /**
   * A collection that is not on the homepage is left out of lists.
   * @example true
   */
  showOnHomepage!: boolean;

  /** @example 1 */
  PlatformId!: number;

  /**
   * Owner.
   * @example 12
   */
  UserId!: number;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;

  /** In the order of `sortPreference`; teasers where locked. */
  Contents!: ContentDto[];
}

/** A collection as its owner and staff see it. */
export class CollectionDto extends CollectionFieldsDto {
  /** @example [1] */
  GroupIds!: number[];

  /**
   * In their manual order.
   * @example [41, 42]
   */
  ContentIds!: number[];

  /** @example 2 */
  contentTotal!: number;
}

/** A collection as the homepage of its platform shows it. */
export class PlatformCollectionDto extends CollectionFieldsDto {
  Platform!: PlatformDto;

  Ads!: PublicAdDto[];
}
