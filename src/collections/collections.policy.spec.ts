import type { Caller } from '../sessions/caller';
import type { Role } from '../sessions/roles';
import { canEditCollection, canSeeLinks } from './collections.policy';

const caller = (role: Role): Caller => ({
  userId: 1,
  platformId: 1,
  role,
  pending: false,
  banned: false,
  sessionId: 'session',
  kind: 'password',
});
const [own, others] = [{ UserId: 1 }, { UserId: 2 }];

describe('who may do what with a collection', () => {
  it.each<[Role, boolean, boolean, boolean, boolean]>([
    // role → may edit: own, others'; sees the links: own, others'
    ['free', true, false, true, false],
    ['basic', true, false, true, false],
    ['premium', true, false, true, false],
    ['creator', true, false, true, true],
    ['admin', true, true, true, true],
  ])('%s', (role, ...expected) => {
    const me = caller(role);
    expect([
      canEditCollection(me, own),
      canEditCollection(me, others),
      canSeeLinks(me, own),
      canSeeLinks(me, others),
    ]).toEqual(expected);
  });

  it('shows no links to the anonymous', () => {
    expect(canSeeLinks(null, own)).toBe(false);
  });
});
