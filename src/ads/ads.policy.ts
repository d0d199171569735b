import { type Caller, isAdmin, isStaff } from '../sessions/caller';
import type { Ad } from './ad.entity';

/** Creators change and see their own ads, admins all of the platform. */
export const canManageAd = (caller: Caller, { UserId }: Pick<Ad, 'UserId'>): boolean =>
  isAdmin(caller) || (isStaff(caller) && UserId === caller.userId);

/** Whose ads the caller's dashboard lists; null is everyone's. */
export const listedOwner = (caller: Caller): number | null => (isAdmin(caller) ? null : caller.userId);
