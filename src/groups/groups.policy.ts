import { type Caller, isAdmin, isStaff } from '../kernel/callers/caller';
import type { GroupVisibility, MemberRole, MemberStatus } from './group-terms';

/** The caller's own membership of the group, if they have one. */
type Mine = { role: MemberRole; status: MemberStatus } | null;

const isActive = (mine: Mine, ...roles: MemberRole[]): boolean =>
  mine?.status === 'active' && roles.includes(mine.role);

/** Owners by their role in the group, and the platform's admins, edit and delete it. */
export const canOwnGroup = (caller: Caller, mine: Mine): boolean =>
  isAdmin(caller) || isActive(mine, 'owner');

/** Owners and moderators, and the platform's admins, add and remove members and decide on requests. */
export const canModerateGroup = (caller: Caller, mine: Mine): boolean =>
  canOwnGroup(caller, mine) || isActive(mine, 'moderator');

/** Its members and staff see who is in it, of a public group every member of the platform. */
export const canListMembers = (caller: Caller, visibility: GroupVisibility, mine: Mine): boolean =>
  isStaff(caller) || visibility === 'public' || mine?.status === 'active';

/** Moderators change plain members only; owners and admins everyone. */
export const canChangeMember = (caller: Caller, mine: Mine, before: MemberRole, after: MemberRole): boolean =>
  canOwnGroup(caller, mine) || (canModerateGroup(caller, mine) && before === 'member' && after === 'member');
