export class KeywordDto {
  /** @example 5 */
  id!: number;

  /** @example "Navigation" */
  title!: string;

  /** @example "navigation" */
  slug!: string;

  /** @example 1 */
  PlatformId!: number;

  /** @example "Charts, tides and stars." */
  description!: string | null;

  /**
   * How many contents every member finds under it, teasers among them.
   * @example 7
   */
  contentCount!: number;
}
