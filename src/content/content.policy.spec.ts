import { callerWith } from '../../test/factories/caller';
import type { Caller } from '../kernel/callers/caller';
import { ROLES, type Role } from '../kernel/callers/roles';
import {
  canAddContent,
  canDeleteContent,
  canEditContent,
  canWriteAs,
  fieldsForStaffOnly,
  filtersForStaffOnly,
  openedGate,
  readersOf,
  STAFF_DEFAULTS,
} from './content.policy';

/** The roles for which something holds. */
const roles = (holds: (one: Caller) => boolean): Role[] => ROLES.filter((role) => holds(callerWith(role)));

it('staff add any type, others posts', () => {
  expect(roles((one) => canAddContent(one, 'article'))).toEqual(['admin', 'creator']);
  expect(roles((one) => canAddContent(one, 'video'))).toEqual(['admin', 'creator']);
  expect(roles((one) => canAddContent(one, 'post'))).toEqual(ROLES);
  expect(roles((one) => canAddContent(one, undefined))).toEqual(['admin', 'creator']);
});

it('authors delete their own, admins all', () => {
  expect(roles((one) => canDeleteContent(one, { UserId: 1 }))).toEqual(ROLES);
  expect(roles((one) => canDeleteContent(one, { UserId: 2 }))).toEqual(['admin']);
});

it('authors edit their own, admins all; who is not staff only posts', () => {
  expect(roles((one) => canEditContent(one, { UserId: 1, type: 'post' }))).toEqual(ROLES);
  expect(roles((one) => canEditContent(one, { UserId: 1, type: 'article' }))).toEqual(['admin', 'creator']);
  expect(roles((one) => canEditContent(one, { UserId: 2, type: 'post' }))).toEqual(['admin']);
});

it('admins name any author, others themselves', () => {
  expect(roles((one) => canWriteAs(one, 1))).toEqual(ROLES);
  expect(roles((one) => canWriteAs(one, 2))).toEqual(['admin']);
});

describe('fieldsForStaffOnly', () => {
  const fresh = { ...STAFF_DEFAULTS, visibility: 'members' };
  const date = (text: string): Date => new Date(text);
  const decided = {
    ...fresh,
    visibility: 'private',
    slug: 'given',
    publishedDate: date('2030-01-01'),
    options: { a: { b: [1] } },
    AccessTagIds: [1, 2],
    requiredRole: 'premium',
  };

  it.each([
    ['nothing', {}, fresh, []],
    ['the defaults', { ...STAFF_DEFAULTS, visibility: 'members' as const, AccessTagIds: [] }, fresh, []],
    ['another visibility', { visibility: 'public' as const }, fresh, ['visibility']],
    ['any slug of its own', { slug: 's' }, fresh, ['slug']],
    [
      'each of them',
      {
        featured: true,
        expireDate: date('2030-01-01'),
        options: {},
        video: 'v',
        contentURI: 'c',
        AccessTagIds: [1],
        requiredRole: 'free' as const,
      },
      fresh,
      ['featured', 'expireDate', 'options', 'video', 'contentURI', 'AccessTagIds', 'requiredRole'],
    ],
    [
      'what staff decided',
      {
        visibility: 'private' as const,
        slug: 'given',
        publishedDate: date('2030-01-01'),
        options: { a: { b: [1] } },
        AccessTagIds: [1, 2],
      },
      decided,
      [],
    ],
    [
      'the defaults where staff decided otherwise',
      {
        visibility: 'members' as const,
        publishedDate: null,
        options: null,
        AccessTagIds: [],
        requiredRole: null,
      },
      decided,
      ['visibility', 'publishedDate', 'options', 'AccessTagIds', 'requiredRole'],
    ],
  ])('%s', (_, sent, before, fields) => {
    expect(fieldsForStaffOnly(sent, before)).toEqual(fields);
  });
});

describe('saving an item whose gate', () => {
  it.each([
    ['is open', { gateClosed: false, visibility: 'private', visibilityBefore: null }, undefined, undefined],
    [
      'was of members',
      { gateClosed: true, visibility: 'private', visibilityBefore: 'members' },
      undefined,
      'members',
    ],
    [
      'was of members',
      { gateClosed: true, visibility: 'private', visibilityBefore: 'members' },
      'private',
      'private',
    ],
    [
      'was of a few',
      { gateClosed: true, visibility: 'private', visibilityBefore: null },
      undefined,
      undefined,
    ],
    [
      'was of no effect',
      { gateClosed: true, visibility: 'public', visibilityBefore: null },
      'hidden',
      'hidden',
    ],
  ] as const)('%s: %j and %s make it %s', (_, before, wanted, visibility) => {
    expect(openedGate(before, wanted)).toEqual({
      visibility,
      ...(before.gateClosed && { gateClosed: false, visibilityBefore: null }),
    });
  });
});

it('readers are named by what opens an item', () => {
  const readers = (['public', 'hidden', 'members', 'private'] as const).map((visibility) =>
    [false, true].map((gated) => readersOf({ visibility }, gated)),
  );
  expect(readers).toEqual([
    ['everyone', 'everyone'],
    ['everyone', 'everyone'],
    ['members', 'gated'],
    ['author-and-staff', 'gated'],
  ]);
});

it('only staff filter by visibility and publication', () => {
  const filters = { type: 'post', visibility: 'public', published: 'true' } as const;
  expect(roles((one) => filtersForStaffOnly(one, filters).length === 0)).toEqual(['admin', 'creator']);
  expect(filtersForStaffOnly(null, filters)).toEqual(['visibility', 'published']);
  expect(filtersForStaffOnly(callerWith('premium'), { published: 'all' })).toEqual(['published']);
  expect(filtersForStaffOnly(null, { type: 'post', featured: false })).toEqual([]);
  expect(filtersForStaffOnly(null)).toEqual([]);
});
