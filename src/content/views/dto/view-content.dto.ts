import { IsInt, Max, Min } from 'class-validator';
import { IsOmittable, MAX_ID } from '#libs/http';

export class ViewContentDto {
  /**
   * How long the item was looked at.
   * @example 90
   */
  @IsOmittable()
  @IsInt()
  @Min(0)
  @Max(MAX_ID)
  seconds?: number;

  /**
   * How far into it the viewer got, in seconds.
   * @example 75
   */
  @IsOmittable()
  @IsInt()
  @Min(0)
  @Max(MAX_ID)
  position?: number;
}
