import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff } from '../kernel/callers/caller';
import { BUNDLED_WORDS } from './bundled-words';
import { domainOf, linksOf } from './links';
import { type Edited, ModerationRepository } from './moderation.repository';
import { textKey } from './same-text';
import { brokenRule, type ModerationRule, SpamLimits } from './spam';
import { WordList } from './word-list';
import { normalised } from './words';

/** What a member wrote, sanitised. */
export interface Written {
  message: string;
  messagePlain: string;
}

/** What happens to it: flagged under a category, held until staff approve it, or neither. */
export interface Verdict {
  moderationCategory: 'Profanity' | 'Spam' | null;
  awaitsApproval: boolean;
  /** What it was flagged for. */
  moderationRule: ModerationRule | null;
}

/** Judges what people write in comments and posts before others see it. */
@Injectable()
export class ModerationService {
  constructor(
    private readonly platforms: PlatformsService,
    private readonly facts: ModerationRepository,
    private readonly limits: SpamLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Within the transaction that stores the text.
   * @param edited the comment whose text this becomes
   */
  async judge(author: Caller, written: Written, edited?: Edited): Promise<Verdict> {
    if (isStaff(author)) return { moderationCategory: null, awaitsApproval: false, moderationRule: null };
    const { commentsRequireApproval, blockedWords } = await this.platforms.settings(author.platformId);
    const moderationRule = await this.brokenRule(author, written, blockedWords, edited);
    return {
      moderationCategory: moderationRule && (moderationRule === 'words' ? 'Profanity' : 'Spam'),
      awaitsApproval: commentsRequireApproval,
      moderationRule,
    };
  }

  private async brokenRule(
    author: Caller,
    { message, messagePlain }: Written,
    blocked: string[],
    edited?: Edited,
  ): Promise<ModerationRule | null> {
    const text = normalised(messagePlain);
    const domains = blocked.map(domainOf);
    const words = new WordList(blocked.filter((_, index) => domains[index] === null));
    if (BUNDLED_WORDS.matches(text) || words.matches(text)) return 'words';
    const facts = await this.facts.facts(author, textKey(text), edited);
    const blockedDomains = new Set(domains.filter((domain) => domain !== null));
    return brokenRule(linksOf(message, text), facts, blockedDomains, this.limits, this.clock.now());
  }
}
