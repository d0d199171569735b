import type { Visibility } from '../kernel/access/visibilities';

/** What the admins of a platform decide about how it works. */
export interface PlatformSettings {
  /** Whether visitors may sign up by themselves. */
  signup: boolean;
  /** Visibility of content that names none. */
  defaultVisibility: Visibility;
  /** Whether members see that there is something they may not open. */
  showTeasers: boolean;
  commentsRequireApproval: boolean;
  /** Minutes in which an author may edit a comment; 0 is no limit. */
  commentEditMinutes: number;
  /** Words, phrases and domains that comments and posts may not hold, besides the bundled lists. */
  blockedWords: string[];
  /** Emoji that may be used; empty is any. */
  allowedEmoji: string[];
  /** Origins, besides the homepage's, from which browsers may call. */
  allowedOrigins: string[];
  /** Origins whose pages may frame embedded content. */
  embedOrigins: string[];
  ai: AiSettings;
}

export interface AiSettings {
  enabled: boolean;
  /** Tokens that answers may cost in a month; null is no cap. */
  monthlyTokenCap: number | null;
}

export const DEFAULT_SETTINGS: PlatformSettings = {
  signup: true,
  defaultVisibility: 'members',
  showTeasers: true,
  commentsRequireApproval: false,
  commentEditMinutes: 0,
  blockedWords: [],
  allowedEmoji: [],
  allowedOrigins: [],
  embedOrigins: [],
  ai: { enabled: false, monthlyTokenCap: null },
};
