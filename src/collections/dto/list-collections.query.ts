import {
  type Filters,
  IsBooleanText,
  IsFilters,
  IsIntText,
  IsOmittable,
  IsSearchTerm,
  IsSort,
  PageQuery,
} from '#libs/http';

export class PlatformCollectionsQuery {
  /**
   * `true` adds hidden collections and hidden content.
   * @example false
   */
  @IsOmittable()
  @IsBooleanText()
  showHidden: boolean = false;

  /**
   * How many collections at most.
   * @example 50
   */
  @IsOmittable()
  @IsIntText(1, 500)
  limit?: number;

  /**
   * How many contents of each at most.
   * @example 20
   */
  @IsOmittable()
  @IsIntText(1, 500)
  contentLimit?: number;
}

export class CollectionBySlugQuery {
  /**
   * How many contents at most; `contentTotal` counts all.
   * @example 50
   */
  @IsOmittable()
  @IsIntText(1, 500)
  limit?: number;
}

export class CollectionByIdQuery {
  /**
   * `true` adds, for staff, unpublished and expired content.
   * @example false
   */
  @IsOmittable()
  @IsBooleanText()
  showFuture: boolean = false;
}

const FILTERS = { collectionType: 'text', showOnHomepage: 'boolean', UserId: 'id' } as const;
const ADMIN_FILTERS = { ...FILTERS, published: 'boolean' } as const;

export class PublicCollectionsQuery extends PageQuery {
  /**
   * Words or parts of words in name, description or slug.
   * @example "start"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "collectionType:default" */
  @IsOmittable()
  @IsFilters(FILTERS)
  filters?: Filters<typeof FILTERS>;

  /** @example "position:asc" */
  @IsOmittable()
  @IsSort('position', 'name', 'createdAt', 'updatedAt', 'publishedDate')
  sort: string = 'position:asc';
}

export class AdminCollectionsQuery extends PageQuery {
  /**
   * Words or parts of words in name, description or slug.
   * @example "start"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /**
   * `published` tells whether its `publishedDate` has come, or there is none.
   * @example "collectionType:default,published:true"
   */
  @IsOmittable()
  @IsFilters(ADMIN_FILTERS)
  filters?: Filters<typeof ADMIN_FILTERS>;

  /** @example "position:asc" */
  @IsOmittable()
  @IsSort('position', 'name', 'createdAt', 'updatedAt', 'publishedDate')
  sort: string = 'position:asc';
}
