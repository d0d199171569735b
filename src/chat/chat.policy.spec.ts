import { callerWith } from '../../test/factories/caller';
import { canBeAnswered, canEditComment, isStillEditable, knowsComment } from './chat.policy';

const admin = callerWith('admin');
const created = new Date('2026-01-01T00:00:00Z');

it('only the author edits, and only what is there', () => {
  expect(canEditComment(admin, { UserId: 1, deletedAt: null })).toBe(true);
  expect(canEditComment(admin, { UserId: 2, deletedAt: null })).toBe(false);
  expect(canEditComment(admin, { UserId: 1, deletedAt: created })).toBe(false);
});

it.each([
  [0, 10_000_000, true],
  [5, 299_999, true],
  [5, 300_000, true],
  [5, 300_001, false],
])('with %d minutes, after %d ms editing is open: %s', (minutes, passed, open) => {
  expect(isStillEditable({ createdAt: created }, minutes, new Date(created.getTime() + passed))).toBe(open);
});

it.each([
  [{ ContentId: 1, deletedAt: null, hidden: false }, true],
  [{ ContentId: 2, deletedAt: null, hidden: false }, false],
  [{ ContentId: 1, deletedAt: created, hidden: false }, false],
  [{ ContentId: 1, deletedAt: null, hidden: true }, false],
])('%j can be answered on content 1: %s', (parent, can) => {
  expect(canBeAnswered(parent, 1)).toBe(can);
});

it.each([
  ['free', { UserId: 2, hidden: false }, true],
  ['free', { UserId: 2, hidden: true }, false],
  ['free', { UserId: 1, hidden: true }, true],
  ['creator', { UserId: 2, hidden: true }, true],
] as const)('a %s knows of %j: %s', (role, comment, knows) => {
  expect(knowsComment(callerWith(role), comment)).toBe(knows);
});
