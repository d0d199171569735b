import { isStaffRole, type Role, TIERS } from '../../kernel/callers/roles';
import type { AccessFacts } from './content-explain.repository';
import type {
  AccessRuleDto,
  AccessRuleName,
  AccessExplanationDto,
  UnlockDto,
} from './dto/content-access.dto';

/** Whose access is explained, as the item's platform sees them. */
export interface Subject {
  /** `pending` has not verified the address, which counts as a visitor. */
  who: 'visitor' | 'foreign' | 'pending' | 'member';
  role: Role | null;
  banned: boolean;
}

/** Facts and subject, and what follows from the two. */
interface Case extends AccessFacts {
  subject: Subject;
  staff: boolean;
  member: boolean;
  /** Staff and the author read the item whatever its dates and its gate. */
  privileged: boolean;
  gated: boolean;
  /** What only the author and staff read: no gate is there that anyone could pass. */
  shut: boolean;
}

export function presentContentAccess(facts: AccessFacts, subject: Subject): AccessExplanationDto {
  const member = subject.who === 'member';
  const staff = member && subject.role !== null && isStaffRole(subject.role);
  const gated = facts.requiredRole !== null || facts.asksForGroup || facts.asksForTag;
  const shut = facts.gateClosed || (facts.visibility === 'private' && !gated);
  const one: Case = { ...facts, subject, staff, member, privileged: staff || facts.own, gated, shut };
  const rules = [
    platform(one),
    status(one),
    rule('deleted', true, 'It is not deleted.'),
    published(one),
    expired(one),
    visibility(one),
    ...gate(one),
    rule('ban', !subject.banned, subject.banned ? 'Banned: reads, but writes nothing.' : 'Not banned.'),
  ];
  const canReact = facts.readable && member && !subject.banned;
  return {
    canRead: facts.readable,
    canComment: canReact && facts.chatEnabled && !facts.commentsLocked,
    canReact,
    decidedBy: facts.readable ? opener(one) : (rules.find(({ pass }) => !pass)?.rule ?? 'visibility'),
    rules,
    unlock: facts.readable ? [] : unlocks(one),
  };
}

const rule = (name: AccessRuleName, pass: boolean, detail: string): AccessRuleDto => ({
  rule: name,
  pass,
  detail,
});

/** Which rule let them read. */
function opener({ staff, own, open, gated, hasTier, inGroup, holdsTag }: Case): AccessRuleName {
  if (staff) return 'role';
  if (own || open || !gated) return 'visibility';
  if (hasTier) return 'role';
  if (inGroup) return 'group';
  return holdsTag ? 'tag' : 'visibility';
}

function platform({ subject, open }: Case): AccessRuleDto {
  if (subject.who !== 'foreign') return rule('platform', true, 'Nobody of another platform.');
  return open
    ? rule('platform', true, 'Of another platform, and the item is open to everyone.')
    : rule('platform', false, 'Of another platform: this item is for people of its own.');
}

function status({ subject, open, held, moderates, privileged }: Case): AccessRuleDto {
  if (subject.who === 'pending' && !open)
    return rule('status', false, 'The e-mail address is not verified yet.');
  if (!held) return rule('status', true, 'Neither flagged nor waiting for approval.');
  return privileged || moderates
    ? rule('status', true, 'Held for moderation, which its author, staff and moderators see.')
    : rule('status', false, 'Held for moderation: flagged, or waiting for approval.');
}

function published(one: Case): AccessRuleDto {
  if (one.published) return rule('published', true, 'Published.');
  const at = one.publishedDate?.toISOString();
  return one.privileged
    ? rule('published', true, `Not before ${at}, save for its author and staff.`)
    : rule('published', false, `Not before ${at}.`);
}

function expired({ unexpired, expireDate, privileged }: Case): AccessRuleDto {
  if (unexpired) return rule('expired', true, 'Not expired.');
  const at = expireDate?.toISOString();
  return privileged
    ? rule('expired', true, `Expired at ${at}, save for its author and staff.`)
    : rule('expired', false, `Expired at ${at}.`);
}

function visibility(one: Case): AccessRuleDto {
  const { staff, own, open, member, gateClosed, shut } = one;
  if (open) {
    return rule(
      'visibility',
      true,
      one.visibility === 'public' ? 'Public: for everyone.' : 'Hidden: for whoever asks for it by name.',
    );
  }
  if (staff) return rule('visibility', true, 'Staff read everything of their platform.');
  if (own) return rule('visibility', true, 'Authors read their own.');
  if (!member) return rule('visibility', false, 'For active members who are signed in.');
  if (gateClosed) {
    return rule(
      'visibility',
      false,
      'Its gate lost its last entry, and stays closed until it is saved again.',
    );
  }
  if (shut) return rule('visibility', false, 'Private: for its author and staff.');
  return rule('visibility', true, one.gated ? 'For those who pass its gate.' : 'For all members.');
}

function gate(one: Case): AccessRuleDto[] {
  const { requiredRole, hasTier, asksForGroup, inGroup, asksForTag, holdsTag } = one;
  return [
    entry(one, 'role', requiredRole !== null, hasTier, `the role ${tierOf(one)}`),
    entry(one, 'group', asksForGroup, inGroup, 'one of its groups'),
    entry(one, 'tag', asksForTag, holdsTag, 'one of its access tags'),
  ];
}

function entry(one: Case, name: AccessRuleName, asked: boolean, has: boolean, what: string): AccessRuleDto {
  if (!asked) return rule(name, true, `Asks for no ${name}.`);
  if (one.open) return rule(name, true, 'Without effect: the item is open to everyone.');
  if (one.privileged) return rule(name, true, `Asks for ${what}, save of its author and staff.`);
  return rule(name, has, has ? `Asks for ${what}, and is given it.` : `Asks for ${what}.`);
}

const tierOf = ({ requiredRole }: Case): string =>
  requiredRole === TIERS.at(-1) ? requiredRole : `${requiredRole} or higher`;

/** What they could do about it: nothing when the item is held, over, or shut to all but its author and staff. */
function unlocks(one: Case): UnlockDto[] {
  const { held, moderates, unexpired, shut } = one;
  if ((held && !moderates) || !unexpired || shut) return [];
  return [
    ...(one.published
      ? []
      : [{ type: 'date' as const, at: one.publishedDate ?? undefined, label: 'Published' }]),
    ...(one.member || one.open ? [] : [signIn(one)]),
    ...entries(one),
  ];
}

const signIn = ({ subject }: Case): UnlockDto => ({
  type: 'signin',
  label: subject.who === 'pending' ? 'Verify the e-mail address' : 'Sign in as a member of the platform',
});

function entries(one: Case): UnlockDto[] {
  if (one.open || one.hasTier || one.inGroup || one.holdsTag) return [];
  return [
    ...(one.requiredRole === null ? [] : [{ type: 'role' as const, label: tierOf(one) }]),
    ...one.groups.map(({ id, name }) => ({ type: 'group' as const, id, label: name })),
    ...one.tags.map(({ id, title }) => ({ type: 'tag' as const, id, label: title })),
  ];
}
