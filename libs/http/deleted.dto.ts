/** What deleting a record answers. */
export class DeletedDto {
  /** @example "Deleted." */
  message!: string;

  /** @example 1 */
  id!: number;
}
