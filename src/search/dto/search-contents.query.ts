import { Clamped, IsIdText, IsIntText, IsOmittable, IsTitle, MAX_ID } from '#libs/http';

class SearchOptions {
  /**
   * At most 100.
   * @example 20
   */
  @IsIntText(1, MAX_ID)
  @Clamped(100)
  limit: number = 20;
}

/** What to search for on one platform. */
export class SearchPlatformContentsQuery extends SearchOptions {
  /**
   * Words or parts of words, in title, description or the author's name.
   * @example "tide"
   */
  @IsTitle(1, 200)
  q!: string;
}

export class SearchContentsQuery extends SearchPlatformContentsQuery {
  /**
   * Without it the token's platform; without both the public items of all platforms.
   * @example 1
   */
  @IsOmittable()
  @IsIdText()
  PlatformId?: number;
}

/** With `q` the path is a search on the platform of that number, without it the content item. */
export class ReadOrSearchQuery extends SearchOptions {
  /**
   * Words or parts of words.
   * @example "tide"
   */
  @IsOmittable()
  @IsTitle(1, 200)
  q?: string;
}
