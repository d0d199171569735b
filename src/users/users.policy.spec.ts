import { callerWith } from '../../test/factories/caller';
import { ROLES, type Role } from '../kernel/callers/roles';
import { canCreateUsers, canDeleteUser, canEditUser, isActiveAdmin } from './users.policy';

const NOW = new Date('2026-05-05T12:00:00Z');
const before = new Date('2026-05-05T11:59:59Z');
const after = new Date('2026-05-05T12:00:01Z');
const admin = {
  role: 'admin' as Role,
  status: 'active' as const,
  deletedAt: null,
  bannedAt: null,
  bannedUntil: null,
};

describe('who may do what to users', () => {
  it.each(ROLES)('%s', (role) => {
    const one = callerWith(role);
    const isAdmin = role === 'admin';
    expect(canCreateUsers(one)).toBe(isAdmin);
    for (const can of [canEditUser, canDeleteUser]) {
      expect(can(one, 1)).toBe(true);
      expect(can(one, 2)).toBe(isAdmin);
    }
  });
});

describe('isActiveAdmin', () => {
  it.each([
    ['an admin', {}, true],
    ['a creator', { role: 'creator' as Role }, false],
    ['a pending admin', { status: 'pending' as const }, false],
    ['a deleted admin', { deletedAt: before }, false],
    ['an admin who is banned for good', { bannedAt: before }, false],
    ['an admin who is banned until later', { bannedAt: before, bannedUntil: after }, false],
    ['an admin whose ban is over', { bannedAt: before, bannedUntil: before }, true],
    ['an admin whose ban ends now', { bannedAt: before, bannedUntil: NOW }, true],
  ])('%s', (_name, values, expected) => {
    expect(isActiveAdmin({ ...admin, ...values }, NOW)).toBe(expected);
  });
});
