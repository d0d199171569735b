import { type Caller, isSelfOrAdmin, isStaff } from '../kernel/callers/caller';

/** Whose a post is, and whether the caller moderates one of its groups. */
export interface Standing {
  UserId: number;
  moderates: boolean;
}

/** Authors delete their own, the moderators and owners of its groups and admins all. */
export const canRemovePost = (caller: Caller, { UserId, moderates }: Standing): boolean =>
  moderates || isSelfOrAdmin(caller, UserId);

/** The moderators and owners of its groups, and the platform's staff, pin posts and end conversations. */
export const canDirectPost = (caller: Caller, { moderates }: Standing): boolean =>
  moderates || isStaff(caller);
