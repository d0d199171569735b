import { defineEvent } from '#libs/events';
import type { AffectedGates } from '../access-tags/affected-gates';

/** Told before its rows go, so that listeners still find what was filed in it. */
export const GROUP_DELETED = defineEvent<{ platformId: number; groupId: number }, AffectedGates>(
  'group.deleted',
);
