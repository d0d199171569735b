import type { Visibility } from '../content/content-terms';

/** What the admins of a platform decide about how it works. */
export interface PlatformSettings {
  /** Visibility of content that names none. */
  defaultVisibility: Visibility;
  /** Whether members see that there is something they may not open. */
  showTeasers: boolean;
  commentsRequireApproval: boolean;
  /** Minutes in which an author may edit a comment; 0 is no limit. */
  commentEditMinutes: number;
  /** Emoji that may be used; empty is any. */
  allowedEmoji: string[];
  /** Origins, besides the homepage's, from which browsers may call. */
  allowedOrigins: string[];
}

export const DEFAULT_SETTINGS: PlatformSettings = {
  defaultVisibility: 'members',
  showTeasers: true,
  commentsRequireApproval: false,
  commentEditMinutes: 0,
  allowedEmoji: [],
  allowedOrigins: [],
};
