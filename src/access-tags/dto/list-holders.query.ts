import { IsFilters, IsOmittable, IsSearchTerm, IsSort, PageQuery } from '#libs/http';

export class ListHoldersQuery extends PageQuery {
  /**
   * Words or parts of words in the name.
   * @example "ada"
   */
  @IsOmittable()
  @IsSearchTerm()
  searchTerm?: string;

  /** @example "{}" */
  @IsOmittable()
  @IsFilters({})
  filters?: object;

  /** @example "name:asc" */
  @IsOmittable()
  @IsSort('name', 'createdAt', 'id')
  sort: string = 'name:asc';
}
