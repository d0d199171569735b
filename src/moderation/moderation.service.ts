import { Injectable } from '@nestjs/common';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff } from '../sessions/caller';

/** What a member wrote, sanitised. */
export interface Written {
  message: string;
  messagePlain: string;
}

/** What happens to it: flagged under a category, held until staff approve it, or neither. */
export interface Verdict {
  moderationCategory: 'Profanity' | 'Spam' | null;
  awaitsApproval: boolean;
}

/** Judges what people write in comments and posts before others see it. */
@Injectable()
export class ModerationService {
  constructor(private readonly platforms: PlatformsService) {}

  async judge(author: Caller, _written: Written): Promise<Verdict> {
    const { commentsRequireApproval } = await this.platforms.settings(author.platformId);
    return { moderationCategory: null, awaitsApproval: commentsRequireApproval && !isStaff(author) };
  }
}
