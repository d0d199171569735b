import { DeletedDto } from '#libs/http';

/** How many records were gated by it or filed under it. */
export class AffectedGatesDto {
  /** @example 3 */
  contents!: number;

  /** @example 1 */
  collections!: number;

  /** @example 0 */
  courses!: number;
}

/** What deleting a group or access tag answers. */
export class DeletedGateEntryDto extends DeletedDto {
  /** Those of them whose gate had no other entry stay closed to all but author and staff until saved again. */
  affected!: AffectedGatesDto;
}
