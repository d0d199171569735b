import { type Caller, isAdmin } from '../sessions/caller';
import type { User } from './user.entity';

/** Fields that only admins decide; from others they may be sent only as they are. */
export const PRIVILEGED_FIELDS = ['role', 'status', 'PlatformId'] as const;

export const canCreateUsers = (caller: Caller): boolean => isAdmin(caller);

export const canEditUser = (caller: Caller, userId: number): boolean =>
  isAdmin(caller) || caller.userId === userId;

export const canDeleteUser = canEditUser;

/** An active admin who can sign in: a platform must keep one. */
export const isActiveAdmin = (user: Pick<User, 'role' | 'deletedAt' | 'bannedAt' | 'status'>): boolean =>
  user.role === 'admin' && user.status === 'active' && user.deletedAt === null && user.bannedAt === null;
