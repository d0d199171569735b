import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsClearable, IsId, IsIds, IsOmittable, IsText, IsTitle } from '#libs/http';
import { MESSAGE_LENGTH } from '../member-posts.service';

/** A post to add, or to edit when `id` is present. What is left out on update stays. */
export class SavePostDto {
  /**
   * Present: update. Absent or null: create.
   * @example 57
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * The first 80 characters of the text when absent.
   * @example "Crew wanted"
   */
  @IsOmittable()
  @IsTitle(1, 300)
  title?: string;

  /**
   * HTML or text; what is not allowed in it is removed. Required on create.
   * @example "<p>Crew wanted for Saturday.</p>"
   */
  @IsOmittable()
  @IsText(MESSAGE_LENGTH)
  message?: string;

  /**
   * Groups that are open to the caller's posts: the post is for their members.
   * @example [1]
   */
  @IsOmittable()
  @IsIds()
  GroupIds?: number[];

  /**
   * Whether comments are open.
   * @example true
   */
  @IsOmittable()
  @IsBoolean()
  chatEnabled?: boolean;
}

export class PinPostDto {
  @IsBoolean()
  @ApiProperty({ example: true, description: 'Whether it stands before the others of its groups.' })
  pinned!: boolean;
}

export class LockPostDto {
  @IsBoolean()
  @ApiProperty({ example: true, description: 'Whether its conversation is ended.' })
  locked!: boolean;
}
