import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IsClearable, IsId, IsOmittable, IsText } from '#libs/http';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** A comment to write, or to edit when `id` is present. */
export class SaveCommentDto {
  /**
   * Present: edit one's own comment.
   * @example 310
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create; cannot change.
   * @example 41
   */
  @IsOmittable()
  @IsId()
  contentId?: number;

  /**
   * HTML or text; what is not allowed in it is removed.
   * @example "<p>Which harbour is this?</p>"
   */
  @IsText(10_000)
  message!: string;

  /**
   * The comment that this one answers.
   * @example null
   */
  @IsClearable()
  @IsId()
  parentCommentId?: number | null;

  /**
   * The moment of the video that it is about, in seconds.
   * @example null
   */
  @IsClearable()
  @IsInt()
  @Min(0)
  @Max(WEEK_SECONDS)
  @ApiProperty({ type: 'integer', minimum: 0, maximum: WEEK_SECONDS, nullable: true })
  atSeconds?: number | null;
}
