import { callerWith } from '../../test/factories/caller';
import type { Role } from '../kernel/callers/roles';
import { canManageAd, listedOwner } from './ads.policy';

it.each<[Role, boolean, boolean]>([
  // role → changes one's own, changes another's
  ['free', false, false],
  ['basic', false, false],
  ['premium', false, false],
  ['creator', true, false],
  ['admin', true, true],
])('%s', (role, own, others) => {
  expect([
    canManageAd(callerWith(role), { UserId: 1 }),
    canManageAd(callerWith(role), { UserId: 2 }),
  ]).toEqual([own, others]);
});

it('creators list their own, admins everyone’s', () => {
  expect([listedOwner(callerWith('creator')), listedOwner(callerWith('admin'))]).toEqual([1, null]);
});
