import { IsBooleanText, IsIntText, IsOmittable } from '#libs/http';

export class PlatformCollectionsQuery {
  /**
   * `true` adds hidden collections and hidden content.
   * @example false
   */
  @IsOmittable()
  @IsBooleanText()
  showHidden: boolean = false;

  /**
   * How many collections at most.
   * @example 50
   */
  @IsOmittable()
  @IsIntText(1, 500)
  limit?: number;

  /**
   * How many contents of each at most.
   * @example 20
   */
  @IsOmittable()
  @IsIntText(1, 500)
  contentLimit?: number;
}
