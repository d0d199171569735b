import { callerWith } from '../../test/factories/caller';
import type { Role } from '../kernel/callers/roles';
import { canAddTagFor, canDeleteTag, canReadTag } from './access-tags.policy';

const ME = 1;
const OTHER = 2;

describe('the policy of access tags', () => {
  it.each<[Role, number | null, boolean, boolean, boolean]>([
    // role, author → may add, read, delete
    ['free', null, true, false, false],
    ['free', ME, true, true, true],
    ['free', OTHER, false, false, false],
    ['premium', null, true, false, false],
    ['premium', OTHER, false, false, false],
    ['creator', null, true, true, false],
    ['creator', ME, true, true, true],
    ['creator', OTHER, false, true, false],
    ['admin', null, true, true, true],
    ['admin', OTHER, true, true, true],
  ])('%s with a tag of %j', (role, AuthorId, add, read, remove) => {
    const me = callerWith(role);
    expect([
      canAddTagFor(me, AuthorId),
      canReadTag(me, { AuthorId }),
      canDeleteTag(me, { AuthorId }),
    ]).toEqual([add, read, remove]);
  });
});
