export class ReactionCountDto {
  /** @example "heart" */
  emoji!: string;

  /** @example 2 */
  count!: number;
}
