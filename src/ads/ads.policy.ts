import { type Caller, isAdmin, isSelfOrAdmin, isStaff } from '../kernel/callers/caller';
import type { Ad } from './ad.entity';

/** Creators change and see their own ads, admins all of the platform. */
export const canManageAd = (caller: Caller, { UserId }: Pick<Ad, 'UserId'>): boolean =>
  isStaff(caller) && isSelfOrAdmin(caller, UserId);

/** Whose ads the caller's dashboard lists; null is everyone's. */
export const listedOwner = (caller: Caller): number | null => (isAdmin(caller) ? null : caller.userId);
