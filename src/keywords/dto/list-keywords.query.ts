import { IsIdText, IsOmittable } from '#libs/http';

export class ListKeywordsQuery {
  /**
   * Without it the token's platform.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;
}
