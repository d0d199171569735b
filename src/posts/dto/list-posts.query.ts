import {
  Clamped,
  type Cursor,
  type Filters,
  IsCursor,
  IsFilters,
  IsIdText,
  IsIntText,
  IsOmittable,
  IsSearchTerm,
  IsSort,
  MAX_ID,
  PageQuery,
} from '#libs/http';

const POST_FILTERS = { GroupId: 'id', UserId: 'id' } as const;

export class ListPostsQuery extends PageQuery {
  /**
   * Without it the token's platform.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;

  /**
   * Words or parts of words in the title, or in the message.
   * @example "tide"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "GroupId:1" */
  @IsOmittable()
  @IsFilters(POST_FILTERS)
  filters?: Filters<typeof POST_FILTERS>;

  /**
   * `activity` is the newest comment, or the post itself.
   * @example "createdAt:desc"
   */
  @IsOmittable()
  @IsSort('createdAt', 'activity')
  sort: string = 'createdAt:desc';
}

export class ReadFeedQuery {
  /**
   * At most 100.
   * @example 25
   */
  @IsIntText(1, MAX_ID)
  @Clamped(100)
  limit: number = 25;

  @IsOmittable()
  @IsCursor()
  cursor?: Cursor;
}
