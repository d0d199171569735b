import { defineEvent } from '#libs/events';
import type { AffectedGates } from './affected-gates';

/** Told before its rows go, so that listeners still find what it was on. */
export const ACCESS_TAG_DELETED = defineEvent<{ platformId: number; accessTagId: number }, AffectedGates>(
  'access-tag.deleted',
);
