import { type Caller, isSelfOrAdmin, isStaff } from '../kernel/callers/caller';
import type { AccessTag } from './access-tag.entity';

type Authored = Pick<AccessTag, 'AuthorId'>;

/** Members make tags of their own or of nobody; only admins make them for another. */
export const canAddTagFor = (caller: Caller, authorId: number | null): boolean =>
  authorId === null || isSelfOrAdmin(caller, authorId);

export const canReadTag = (caller: Caller, { AuthorId }: Authored): boolean =>
  isStaff(caller) || AuthorId === caller.userId;

export const canDeleteTag = (caller: Caller, { AuthorId }: Authored): boolean =>
  isSelfOrAdmin(caller, AuthorId);
