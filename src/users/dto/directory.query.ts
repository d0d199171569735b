import { Transform } from 'class-transformer';
import { IsString, Length } from 'class-validator';
import { IsIdText, IsIntText, IsOmittable, MAX_ID } from '#libs/http';

const atMost =
  (most: number) =>
  ({ value }: { value: unknown }): unknown =>
    typeof value === 'number' ? Math.min(value, most) : value;

export class LookupUsersQuery {
  /**
   * The beginning of a word of the name.
   * @example "ada"
   */
  @IsString()
  @Length(1, 100)
  q!: string;

  /**
   * Only those who may read this item.
   * @example 41
   */
  @IsOmittable()
  @IsIdText()
  contentId?: number;

  /**
   * At most 100.
   * @example 8
   */
  @Transform(atMost(100))
  @IsIntText(1, MAX_ID)
  limit: number = 8;
}

export class ListAdminsQuery {
  /** @example 1 */
  @IsIntText(1, MAX_ID)
  page: number = 1;

  /**
   * More than 100 is answered as 100.
   * @example 20
   */
  @Transform(atMost(100))
  @IsIntText(1, MAX_ID)
  limit: number = 20;
}
