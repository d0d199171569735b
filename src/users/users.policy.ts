import { type Caller, isAdmin, isSelfOrAdmin } from '../kernel/callers/caller';
import type { User } from './user.entity';

/** Fields that only admins decide; from others they may be sent only as they are. */
export const PRIVILEGED_FIELDS = ['role', 'status', 'PlatformId'] as const;

export const canCreateUsers = (caller: Caller): boolean => isAdmin(caller);

export const canEditUser = isSelfOrAdmin;

export const canDeleteUser = canEditUser;

type Standing = Pick<User, 'role' | 'status' | 'deletedAt' | 'bannedAt' | 'bannedUntil'>;

/** An admin who can act at this moment: a platform must keep one. */
export const isActiveAdmin = (user: Standing, now: Date): boolean =>
  user.role === 'admin' && user.status === 'active' && user.deletedAt === null && !isBanned(user, now);

/** A ban may have an end. */
export const isBanned = ({ bannedAt, bannedUntil }: Standing, now: Date): boolean =>
  bannedAt !== null && (bannedUntil === null || bannedUntil > now);
