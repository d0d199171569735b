import { IsFilters, IsIdText, IsOmittable, IsSort, PageQuery } from '#libs/http';

class CommentListQuery extends PageQuery {
  /** @example "{}" */
  @IsOmittable()
  @IsFilters({})
  filters?: object;

  /**
   * Oldest first, unless asked otherwise.
   * @example "createdAt:asc"
   */
  @IsOmittable()
  @IsSort('createdAt')
  sort: string = 'createdAt:asc';
}

export class ListCommentsQuery extends CommentListQuery {
  /** @example 41 */
  @IsIdText()
  contentId!: number;
}

export class ListRepliesQuery extends CommentListQuery {
  /**
   * The comment whose replies are asked for.
   * @example 310
   */
  @IsIdText()
  commentId!: number;
}
