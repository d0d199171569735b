import { type Filters, IsFilters, IsIdText, IsOmittable, IsSearchTerm, IsSort, PageQuery } from '#libs/http';
import { GROUP_VISIBILITIES, JOIN_POLICIES, MEMBER_ROLES } from '../group-terms';

const GROUP_FILTERS = {
  mine: 'boolean',
  visibility: GROUP_VISIBILITIES,
  joinPolicy: JOIN_POLICIES,
  archived: 'boolean',
} as const;

const MEMBER_FILTERS = { role: MEMBER_ROLES } as const;

export class ListGroupsQuery extends PageQuery {
  /**
   * Without it the token's platform.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;

  /**
   * Words or parts of words in the name.
   * @example "skip"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "mine:true" */
  @IsOmittable()
  @IsFilters(GROUP_FILTERS)
  filters?: Filters<typeof GROUP_FILTERS>;

  /** @example "position:asc" */
  @IsOmittable()
  @IsSort('position', 'name', 'memberCount', 'createdAt', 'id')
  sort: string = 'position:asc';
}

class PeopleQuery extends PageQuery {
  /**
   * Words or parts of words in the name.
   * @example "ada"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "createdAt:asc" */
  @IsOmittable()
  @IsSort('createdAt', 'name', 'id')
  sort: string = 'createdAt:asc';
}

export class ListMembersQuery extends PeopleQuery {
  /** @example "role:moderator" */
  @IsOmittable()
  @IsFilters(MEMBER_FILTERS)
  filters?: Filters<typeof MEMBER_FILTERS>;
}

export class ListRequestsQuery extends PeopleQuery {
  /** @example "{}" */
  @IsOmittable()
  @IsFilters({})
  filters?: object;
}
