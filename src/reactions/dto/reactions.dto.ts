import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IsOmittable } from '#libs/http';
import { ReactionCountDto } from '../../kernel/reaction-counts/reaction-count.dto';

export class ReactionsDto {
  /** One for each emoji that was placed, most used first. */
  reactions!: ReactionCountDto[];

  /**
   * The caller's own; empty when anonymous.
   * @example ["heart"]
   */
  myReactions!: string[];
}

export class ReactorDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;
}

/** Who placed one emoji. */
export class ReactorsDto {
  /** @example "heart" */
  emoji!: string;

  /** The first hundred who did. */
  users!: ReactorDto[];
}

export class AddedReactionDto extends ReactionsDto {
  /**
   * Whether it was not there before.
   * @example true
   */
  added!: boolean;
}

export class RemovedReactionDto extends ReactionsDto {
  /**
   * Whether it was there before.
   * @example true
   */
  removed!: boolean;
}

export class ToggledReactionDto extends ReactionsDto {
  /**
   * Whether it is there now.
   * @example true
   */
  added!: boolean;
}

export class ReactDto {
  @IsString()
  @Length(1, 64)
  @ApiProperty({ example: 'heart', description: 'A shortname, or one emoji.', minLength: 1, maxLength: 64 })
  emoji!: string;
}

export class ReadReactionsQuery {
  /**
   * Asks who placed this one.
   * @example "heart"
   */
  @IsOmittable()
  @IsString()
  @Length(1, 64)
  emoji?: string;
}
