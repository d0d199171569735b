import type { Caller } from '../../src/kernel/callers/caller';
import type { Role } from '../../src/kernel/callers/roles';

/** A caller of platform 1, for policies and other things that need no database. */
export const callerWith = (role: Role, userId = 1): Caller => ({
  userId,
  platformId: 1,
  role,
  pending: false,
  banned: false,
  sessionId: 'session',
  kind: 'password',
});
