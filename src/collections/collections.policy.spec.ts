import { callerWith } from '../../test/factories/caller';
import type { Role } from '../kernel/callers/roles';
import { canEditCollection, canSeeLinks } from './collections.policy';

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
    const me = callerWith(role);
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
