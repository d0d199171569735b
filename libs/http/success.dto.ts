/** What an action answers that has nothing else to tell. */
export class SuccessDto {
  /** @example true */
  success!: boolean;
}
