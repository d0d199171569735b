import { callerWith } from '../../test/factories/caller';
import type { Caller } from '../kernel/callers/caller';
import { ROLES, type Role } from '../kernel/callers/roles';
import { canDirectPost, canRemovePost } from './posts.policy';

const allowed = (rule: (one: Caller) => boolean): Role[] => ROLES.filter((role) => rule(callerWith(role)));

it('lets authors, moderators of its groups and admins delete a post', () => {
  expect(allowed((one) => canRemovePost(one, { UserId: 2, moderates: false }))).toEqual(['admin']);
  expect(allowed((one) => canRemovePost(one, { UserId: 1, moderates: false }))).toEqual(ROLES);
  expect(allowed((one) => canRemovePost(one, { UserId: 2, moderates: true }))).toEqual(ROLES);
});

it('lets moderators of its groups and staff pin and lock a post, not its author', () => {
  expect(allowed((one) => canDirectPost(one, { UserId: 1, moderates: false }))).toEqual(['admin', 'creator']);
  expect(allowed((one) => canDirectPost(one, { UserId: 2, moderates: true }))).toEqual(ROLES);
});
