import { type Caller, isSelfOrAdmin, isStaff, type Viewer } from '../kernel/callers/caller';

interface Owned {
  UserId: number;
}

/** Owners change, reorder and delete their own collections, admins all. */
export const canEditCollection = (caller: Caller, { UserId }: Owned): boolean =>
  isSelfOrAdmin(caller, UserId);

/** Owners and staff see what is in it besides what they are shown, and whom it is for. */
export const canSeeLinks = (viewer: Viewer, { UserId }: Owned): boolean =>
  isStaff(viewer) || viewer?.userId === UserId;
