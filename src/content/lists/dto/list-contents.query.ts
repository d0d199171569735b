import {
  Clamped,
  type Filters,
  IsFilters,
  IsIdText,
  IsIntText,
  IsOmittable,
  IsSearchTerm,
  IsSort,
  MAX_ID,
  PageQuery,
} from '#libs/http';
import { VISIBILITIES } from '../../../kernel/access/visibilities';
import { CONTENT_TYPES } from '../../content-types';

const CONTENT_FILTERS = {
  type: CONTENT_TYPES,
  visibility: VISIBILITIES,
  GroupId: 'id',
  KeywordId: 'id',
  UserId: 'id',
  featured: 'boolean',
  published: ['true', 'false', 'all'],
} as const;
export type ContentFilters = Filters<typeof CONTENT_FILTERS>;

export class ListContentsQuery extends PageQuery {
  /**
   * Without it the token's platform.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;

  /**
   * Words or parts of words in the title.
   * @example "tide"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "type:article,featured:true" */
  @IsOmittable()
  @IsFilters(CONTENT_FILTERS)
  filters?: ContentFilters;

  /**
   * `publishedDate` stands for the creation where there is none.
   * @example "publishedDate:desc"
   */
  @IsOmittable()
  @IsSort('publishedDate', 'createdAt', 'title', 'views', 'comments')
  sort: string = 'publishedDate:desc';
}

export class RelatedContentsQuery {
  /**
   * At most 100.
   * @example 6
   */
  @IsIntText(1, MAX_ID)
  @Clamped(100)
  limit: number = 6;
}
