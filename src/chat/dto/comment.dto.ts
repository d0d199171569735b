import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '#libs/http';
import { ReactionCountDto } from '../../kernel/reaction-counts/reaction-count.dto';

export class CommentAuthorDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;

  /** @example false */
  banned!: boolean;
}

export class CommentDto {
  /** @example 310 */
  id!: number;

  /**
   * Sanitised HTML; empty when deleted.
   * @example "<p>Which harbour is this?</p>"
   */
  message!: string;

  /** @example "Which harbour is this?" */
  messagePlain!: string;

  /** @example "Ada Lovelace" */
  displayName!: string;

  /**
   * A deleted comment stays in its place, without its text.
   * @example false
   */
  deleted!: boolean;

  @ApiProperty({
    enum: ['Profanity', 'Spam'],
    nullable: true,
    example: null,
    description: 'Set when it is held.',
  })
  moderationCategory!: string | null;

  /** @example false */
  isEdited!: boolean;

  /** @example null */
  editedAt!: Date | null;

  /** @example "2026-02-03T18:20:11.000Z" */
  createdAt!: Date;

  /**
   * null for a top-level comment.
   * @example null
   */
  parentCommentId!: number | null;

  /**
   * Direct replies, neither deleted nor held.
   * @example 1
   */
  replyCount!: number;

  /**
   * The moment of the video that it is about, in seconds.
   * @example null
   */
  atSeconds!: number | null;

  /** Most used first. */
  reactions!: ReactionCountDto[];

  /**
   * The caller's own; absent when anonymous.
   * @example ["heart"]
   */
  myReactions?: string[];

  User!: CommentAuthorDto;
}

export class CommentPageDto extends PageDto(CommentDto) {}
