import type { Caller } from '../sessions/caller';
import { ROLES, type Role } from '../sessions/roles';
import { canAddContent, canEditContent, canWriteAs, fieldsForStaffOnly } from './content.policy';

const caller = (role: Role, userId = 1): Caller => ({
  userId,
  role,
  platformId: 1,
  pending: false,
  banned: false,
  sessionId: '',
  kind: 'password',
});
/** The roles for which something holds. */
const roles = (holds: (one: Caller) => boolean): Role[] => ROLES.filter((role) => holds(caller(role)));

it('staff add any type, others posts', () => {
  expect(roles((one) => canAddContent(one, 'article'))).toEqual(['admin', 'creator']);
  expect(roles((one) => canAddContent(one, 'video'))).toEqual(['admin', 'creator']);
  expect(roles((one) => canAddContent(one, 'post'))).toEqual(ROLES);
  expect(roles((one) => canAddContent(one, undefined))).toEqual(['admin', 'creator']);
});

it('authors edit their own, admins all', () => {
  expect(roles((one) => canEditContent(one, { UserId: 1 }))).toEqual(ROLES);
  expect(roles((one) => canEditContent(one, { UserId: 2 }))).toEqual(['admin']);
});

it('admins name any author, others themselves', () => {
  expect(roles((one) => canWriteAs(one, 1))).toEqual(ROLES);
  expect(roles((one) => canWriteAs(one, 2))).toEqual(['admin']);
});

describe('fieldsForStaffOnly', () => {
  it.each([
    [{ title: 'T', description: 'D', GroupIds: [1], KeywordIds: [1], chatEnabled: false }, []],
    [{ visibility: 'members' as const }, []],
    [{ visibility: 'public' as const }, ['visibility']],
    [
      {
        featured: false,
        publishedDate: null,
        AccessTagIds: [],
        requiredRole: null,
        options: null,
        video: null,
      },
      [],
    ],
    [{ featured: true, slug: 's', expireDate: '2030-01-01' }, ['featured', 'expireDate', 'slug']],
    [
      { options: {}, video: 'v', contentURI: 'c', AccessTagIds: [1], requiredRole: 'free' as const },
      ['options', 'video', 'contentURI', 'AccessTagIds', 'requiredRole'],
    ],
  ])('%j', (dto, fields) => {
    expect(fieldsForStaffOnly(dto, 'members')).toEqual(fields);
  });
});
