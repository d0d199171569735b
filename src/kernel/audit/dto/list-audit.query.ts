import { type Filters, IsFilters, IsOmittable, IsSort, PageQuery } from '#libs/http';

const AUDIT_FILTERS = {
  action: 'text',
  actorId: 'id',
  targetType: 'text',
  targetId: 'text',
  from: 'instant',
  to: 'instant',
} as const;

export class ListAuditQuery extends PageQuery {
  /**
   * `from` and `to` count themselves; without an offset they are read in the platform's timezone.
   * @example "action:user.ban,from:2026-02-01"
   */
  @IsOmittable()
  @IsFilters(AUDIT_FILTERS)
  filters?: Filters<typeof AUDIT_FILTERS>;

  /** @example "at:desc" */
  @IsOmittable()
  @IsSort('at')
  sort: string = 'at:desc';
}
