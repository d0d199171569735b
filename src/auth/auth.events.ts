import { defineEvent } from '#libs/events';

export interface UserSignedUp {
  platformId: number;
  userId: number;
}

/** Someone new gave an address, which is not shown to be theirs yet. */
export const USER_SIGNED_UP = defineEvent<UserSignedUp>('user.signed-up');
