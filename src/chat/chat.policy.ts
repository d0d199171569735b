import { type Caller, isStaff } from '../kernel/callers/caller';
import type { Comment } from './comment.entity';

/** Only authors edit, and only what is still there. */
export const canEditComment = (
  caller: Caller,
  { UserId, deletedAt }: Pick<Comment, 'UserId' | 'deletedAt'>,
): boolean => caller.userId === UserId && deletedAt === null;

/** One that is held back is known to its author and to staff; that one was deleted, to all who read the content. */
export const knowsComment = (
  caller: Caller,
  { UserId, hidden }: Pick<Comment, 'UserId' | 'hidden'>,
): boolean => !hidden || caller.userId === UserId || isStaff(caller);

/** @param minutes for which a comment may be edited; 0 is no limit */
export const isStillEditable = (
  { createdAt }: Pick<Comment, 'createdAt'>,
  minutes: number,
  now: Date,
): boolean => minutes === 0 || now.getTime() - createdAt.getTime() <= minutes * 60_000;

/** An answer needs a comment on the same content that is still to be seen. */
export const canBeAnswered = (
  parent: Pick<Comment, 'ContentId' | 'deletedAt' | 'hidden'>,
  contentId: number,
): boolean => parent.ContentId === contentId && parent.deletedAt === null && !parent.hidden;
