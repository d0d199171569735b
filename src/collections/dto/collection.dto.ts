import { PageDto } from '#libs/http';
import { PublicAdDto } from '../../ads/dto/ad.dto';
import { ContentDto } from '../../content/dto/content.dto';
import { PlatformDto } from '../../platforms/dto/platform.dto';

/** What every answer tells of a collection. */
export class CollectionFieldsDto {
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
}

/** A collection as visitors find it. */
export class PublicCollectionDto extends CollectionFieldsDto {
  /** In the order of `sortPreference`; teasers where locked. */
  Contents!: ContentDto[];

  /**
   * How many contents the caller finds in it, beyond the limit too.
   * @example 2
   */
  contentTotal!: number;
}

/** A collection as members of its platform see it. */
export class CollectionDto extends PublicCollectionDto {
  /**
   * Gate: for staff and the owner only.
   * @example [1]
   */
  GroupIds?: number[];

  /**
   * All that it holds, in manual order: for staff and the owner only.
   * @example [41, 42]
   */
  ContentIds?: number[];
}

/** A collection in the list for visitors. */
export class ListedCollectionDto extends CollectionFieldsDto {
  /**
   * How many contents a visitor finds in it.
   * @example 2
   */
  contentTotal!: number;
}

/** A collection in the list of a dashboard. */
export class AdminCollectionDto extends CollectionFieldsDto {
  /** @example [1] */
  GroupIds!: number[];

  /**
   * In their manual order.
   * @example [41, 42]
   */
  ContentIds!: number[];

  /**
   * How many contents it holds, whatever their state.
   * @example 2
   */
  contentTotal!: number;
}

export class ListedCollectionPageDto extends PageDto(ListedCollectionDto) {}

export class AdminCollectionPageDto extends PageDto(AdminCollectionDto) {}

/** A collection to choose from. */
export class CollectionOptionDto {
  /** @example 7 */
  id!: number;

  /** @example "Start here" */
  name!: string;

  /**
   * Owner.
   * @example 12
   */
  UserId!: number;
}

/** A collection as the homepage of its platform shows it. */
export class PlatformCollectionDto extends CollectionFieldsDto {
  /** In the order of `sortPreference`; teasers where locked. */
  Contents!: ContentDto[];

  Platform!: PlatformDto;

  Ads!: PublicAdDto[];
}
