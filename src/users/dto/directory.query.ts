import {
  Clamped,
  type Filters,
  IsFilters,
  IsIdText,
  IsIntText,
  IsOmittable,
  IsSearchTerm,
  IsSort,
  IsTitle,
  MAX_ID,
  PageQuery,
} from '#libs/http';
import { ROLES, STATUSES } from '../../kernel/callers/roles';

const MOST = 100;

export class LookupUsersQuery {
  /**
   * The beginning of a word of the name.
   * @example "ada"
   */
  @IsTitle(1, 100)
  q!: string;

  /**
   * Only those who may read this item.
   * @example 41
   */
  @IsOmittable()
  @IsIdText()
  contentId?: number;

  /**
   * At most 100.
   * @example 8
   */
  @IsIntText(1, MAX_ID)
  @Clamped(MOST)
  limit: number = 8;
}

export class ListAdminsQuery {
  /** @example 1 */
  @IsIntText(1, MAX_ID)
  page: number = 1;

  /**
   * More than 100 is answered as 100.
   * @example 20
   */
  @IsIntText(1, MAX_ID)
  @Clamped(MOST)
  limit: number = 20;
}

const USER_FILTERS = {
  role: ROLES,
  status: STATUSES,
  GroupId: 'id',
  AccessTagId: 'id',
  banned: 'boolean',
} as const;

export class ListUsersQuery extends PageQuery {
  /**
   * Words or parts of words of the name.
   * @example "ada"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "role:free,banned:false" */
  @IsOmittable()
  @IsFilters(USER_FILTERS)
  filters?: Filters<typeof USER_FILTERS>;

  /** @example "id:asc" */
  @IsOmittable()
  @IsSort('id', 'name', 'createdAt')
  sort: string = 'id:asc';
}
