import type { Caller } from '../sessions/caller';
import type { Role } from '../sessions/roles';
import { canManageAd, listedOwner } from './ads.policy';

const caller = (role: Role): Caller => ({
  userId: 1,
  platformId: 1,
  role,
  pending: false,
  banned: false,
  sessionId: 'session',
  kind: 'password',
});

it.each<[Role, boolean, boolean]>([
  // role → changes one's own, changes another's
  ['free', false, false],
  ['basic', false, false],
  ['premium', false, false],
  ['creator', true, false],
  ['admin', true, true],
])('%s', (role, own, others) => {
  expect([canManageAd(caller(role), { UserId: 1 }), canManageAd(caller(role), { UserId: 2 })]).toEqual([
    own,
    others,
  ]);
});

it('creators list their own, admins everyone’s', () => {
  expect([listedOwner(caller('creator')), listedOwner(caller('admin'))]).toEqual([1, null]);
});
