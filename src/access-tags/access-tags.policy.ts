import { type Caller, isAdmin, isStaff } from '../sessions/caller';
import type { AccessTag } from './access-tag.entity';

type Authored = Pick<AccessTag, 'AuthorId'>;

/** Members make tags of their own or of nobody; only admins make them for another. */
export const canAddTagFor = (caller: Caller, authorId: number | null): boolean =>
  authorId === null || authorId === caller.userId || isAdmin(caller);

export const canReadTag = (caller: Caller, { AuthorId }: Authored): boolean =>
  isStaff(caller) || AuthorId === caller.userId;

export const canDeleteTag = (caller: Caller, { AuthorId }: Authored): boolean =>
  isAdmin(caller) || AuthorId === caller.userId;
