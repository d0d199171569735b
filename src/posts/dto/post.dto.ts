import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '#libs/http';
import { ReactionCountDto } from '../../kernel/reaction-counts/reaction-count.dto';
import { ContentCardDto, ContentDto } from '../../content/dto/content.dto';
import { ContentAccessDto } from '../../content/lists/dto/content-list.dto';

/** A post: a content item of type `post`, and its conversation. */
export class PostDto extends ContentDto {
  /**
   * Sanitised HTML, as `description`; of a teaser the first 200 characters of its text, escaped.
   * @example "<p>Crew wanted for Saturday.</p>"
   */
  message!: string;

  /** @example "Crew wanted for Saturday." */
  messagePlain!: string;

  /**
   * Whether it stands before the others of its groups.
   * @example false
   */
  pinned!: boolean;

  /**
   * Whether moderators ended its conversation: comments are listed, and no new ones are taken. Whether it is a
   * teaser is told by `access.locked`.
   * @example false
   */
  declare locked: boolean;

  access!: ContentAccessDto;

  /** Most used first; none with a teaser. */
  reactions!: ReactionCountDto[];

  /**
   * The caller's own; absent when anonymous.
   * @example ["heart"]
   */
  myReactions?: string[];

  /** @example false */
  isEdited!: boolean;

  /** @example null */
  editedAt!: Date | null;

  @ApiProperty({
    enum: ['Profanity', 'Spam'],
    nullable: true,
    example: null,
    description: 'Set when it is held: only its author, staff and the moderators of its groups see it.',
  })
  moderationCategory!: string | null;

  /**
   * Whether it is held until staff approve it.
   * @example false
   */
  awaitsApproval!: boolean;

  /**
   * Never true in an answer: a deleted post is not shown to anyone.
   * @example false
   */
  deleted!: boolean;
}

export class PostPageDto extends PageDto(PostDto) {}

/** Some of the newest items, and where the older ones begin. */
export class FeedDto {
  items!: ContentCardDto[];

  /**
   * To be sent as `cursor` for the next ones; null when there are none.
   * @example "MTc2OTU5NTEyMDAwMC40MQ"
   */
  nextCursor!: string | null;
}
