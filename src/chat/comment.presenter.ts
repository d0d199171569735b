import type { Comment } from './comment.entity';
import type { CommentDto } from './dto/comment.dto';

/** A comment as the repository's lists answer it. */
export type CommentRow = Pick<
  Comment,
  | 'id'
  | 'message'
  | 'messagePlain'
  | 'deletedAt'
  | 'moderationCategory'
  | 'isEdited'
  | 'editedAt'
  | 'createdAt'
  | 'parentCommentId'
  | 'replyCount'
  | 'atSeconds'
  | 'reactionCounts'
> & {
  authorId: number;
  authorName: string;
  authorPhotoUrl: string | null;
  authorBanned: boolean;
  /** null when nobody of the platform is signed in. */
  myReactions: string[] | null;
};

export function presentComment(row: CommentRow): CommentDto {
  const deleted = row.deletedAt !== null;
  return {
    id: row.id,
    message: deleted ? '' : row.message,
    messagePlain: deleted ? '' : row.messagePlain,
    displayName: row.authorName,
    deleted,
    moderationCategory: row.moderationCategory,
    isEdited: row.isEdited,
    editedAt: row.editedAt,
    createdAt: row.createdAt,
    parentCommentId: row.parentCommentId,
    replyCount: row.replyCount,
    atSeconds: row.atSeconds,
    reactions: deleted ? [] : row.reactionCounts.map(({ emoji, count }) => ({ emoji, count })),
    ...(row.myReactions && { myReactions: deleted ? [] : row.myReactions }),
    User: {
      id: row.authorId,
      name: row.authorName,
      photoUrl: row.authorPhotoUrl,
      banned: row.authorBanned,
    },
  };
}
