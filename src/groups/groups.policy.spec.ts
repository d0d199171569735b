import { callerWith } from '../../test/factories/caller';
import type { Role } from '../kernel/callers/roles';
import type { GroupVisibility, MemberRole, MemberStatus } from './group-terms';
import { canChangeMember, canListMembers, canModerateGroup, canOwnGroup } from './groups.policy';

const as = (role: MemberRole, status: MemberStatus = 'active') => ({ role, status });

describe('who may do what in a group', () => {
  it.each<[Role, ReturnType<typeof as> | null, boolean, boolean]>([
    // role on the platform, membership → may own, may moderate
    ['free', null, false, false],
    ['free', as('member'), false, false],
    ['free', as('moderator'), false, true],
    ['free', as('moderator', 'pending'), false, false],
    ['free', as('moderator', 'banned'), false, false],
    ['free', as('owner'), true, true],
    ['free', as('owner', 'banned'), false, false],
    ['creator', null, false, false],
    ['creator', as('member'), false, false],
    ['creator', as('owner'), true, true],
    ['admin', null, true, true],
    ['admin', as('member'), true, true],
  ])('%s with %j', (role, mine, own, moderate) => {
    expect([canOwnGroup(callerWith(role), mine), canModerateGroup(callerWith(role), mine)]).toEqual([
      own,
      moderate,
    ]);
  });

  it.each<[Role, GroupVisibility, ReturnType<typeof as> | null, boolean]>([
    ['free', 'public', null, true],
    ['free', 'members', null, false],
    ['free', 'members', as('member'), true],
    ['free', 'members', as('member', 'pending'), false],
    ['free', 'private', as('member'), true],
    ['free', 'hidden', as('moderator'), true],
    ['creator', 'hidden', null, true],
    ['admin', 'private', null, true],
  ])('%s lists the members of a %s group with %j: %s', (role, visibility, mine, allowed) => {
    expect(canListMembers(callerWith(role), visibility, mine)).toBe(allowed);
  });

  it.each<[Role, ReturnType<typeof as> | null, MemberRole, MemberRole, boolean]>([
    ['free', as('moderator'), 'member', 'member', true],
    ['free', as('moderator'), 'member', 'moderator', false],
    ['free', as('moderator'), 'member', 'owner', false],
    ['free', as('moderator'), 'moderator', 'member', false],
    ['free', as('moderator'), 'owner', 'member', false],
    ['free', as('member'), 'member', 'member', false],
    ['free', as('owner'), 'owner', 'member', true],
    ['free', as('owner'), 'member', 'owner', true],
    ['creator', null, 'member', 'member', false],
    ['admin', null, 'member', 'owner', true],
  ])('%s with %j makes a %s a %s: %s', (role, mine, before, after, allowed) => {
    expect(canChangeMember(callerWith(role), mine, before, after)).toBe(allowed);
  });
});
