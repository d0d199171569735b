import type { Content } from '../content/content.entity';
import { type ContentRow, presentContent } from '../content/content.presenter';
import type { PostDto } from './dto/post.dto';

/** A post as the repository's reads answer it; `locked` of a content row is a teaser. */
export type PostRow = ContentRow &
  Pick<
    Content,
    | 'pinned'
    | 'commentsLocked'
    | 'reactionCounts'
    | 'isEdited'
    | 'editedAt'
    | 'moderationCategory'
    | 'awaitsApproval'
    | 'deletedAt'
  > & {
    messagePlain: string;
    /** null when nobody of the platform is signed in. */
    myReactions: string[] | null;
  };

export function presentPost(row: PostRow): PostDto {
  const isTeaser = row.locked;
  const content = presentContent(row);
  return {
    ...content,
    message: content.description,
    messagePlain: row.messagePlain,
    pinned: row.pinned,
    locked: row.commentsLocked,
    access: { canRead: !isTeaser, locked: isTeaser },
    reactions: isTeaser ? [] : row.reactionCounts.map(({ emoji, count }) => ({ emoji, count })),
    ...(row.myReactions && { myReactions: isTeaser ? [] : row.myReactions }),
    isEdited: row.isEdited,
    editedAt: row.editedAt,
    moderationCategory: row.moderationCategory,
    awaitsApproval: row.awaitsApproval,
    deleted: row.deletedAt !== null,
  };
}
