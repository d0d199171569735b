import { type Links, isWithin } from './links';

/** Why a text is held: the word lists, or one of the rules about spam. */
export type ModerationRule = 'words' | 'links' | 'newAccount' | 'sameText' | 'domain' | 'pace' | 'record';

/** What the database knows about an author and a text. */
export interface Facts {
  memberSince: Date;
  /** Others who wrote the same within a day. */
  othersWithText: number;
  /** The author's other comments of the last minute. */
  commentsOfMinute: number;
  /** The author's comments of the last seven days, and how many of them were removed. */
  commentsOfWeek: number;
  removedOfWeek: number;
}

/** Where ordinary use ends. Injected, so that tests may write faster than people. */
export class SpamLimits {
  links = 3;
  accountHours = 24;
  people = 3;
  commentsAMinute = 5;
  removedShare = 0.3;
  /** With fewer comments a share says nothing. */
  judgedFrom = 5;
}

/** The first rule that a text breaks, or null. */
export function brokenRule(
  { count, hosts }: Links,
  facts: Facts,
  blockedDomains: ReadonlySet<string>,
  limits: SpamLimits,
  now: Date,
): ModerationRule | null {
  if (count > limits.links) return 'links';
  if (count > 0 && now.getTime() - facts.memberSince.getTime() < limits.accountHours * 3_600_000)
    return 'newAccount';
  if (facts.othersWithText + 1 >= limits.people) return 'sameText';
  if (blockedDomains.size > 0 && [...hosts].some((host) => isWithin(host, blockedDomains))) return 'domain';
  if (facts.commentsOfMinute + 1 > limits.commentsAMinute) return 'pace';
  if (
    facts.commentsOfWeek >= limits.judgedFrom &&
    facts.removedOfWeek > facts.commentsOfWeek * limits.removedShare
  )
    return 'record';
  return null;
}
