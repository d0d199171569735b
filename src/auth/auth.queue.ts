import { defineListener } from '#libs/events';
import { defineJob } from '#libs/queue';
import { USER_SIGNED_UP } from './auth.events';

/**
 * What is done for an address that someone typed in. It is done in the background whether the address is known
 * or not, so that neither answer nor time tells which.
 */
export interface AddressPayload {
  email: string;
  PlatformId: number;
}

export const SEND_CODE = defineJob<AddressPayload>('auth.send-code', { sealed: true });
export const SEND_RESET = defineJob<AddressPayload>('auth.send-reset', { sealed: true });
export const SIGN_UP = defineJob<AddressPayload & { name: string }>('auth.sign-up', { sealed: true });
/** The code that shows that a new account's address is its owner's. */
export const SEND_FIRST_CODE = defineListener(USER_SIGNED_UP, 'auth.send-first-code');
/** A code to the address that a user wants to have, unless someone has it. */
export const SEND_CHANGE_EMAIL = defineJob<AddressPayload & { userId: number }>('auth.send-change-email', {
  sealed: true,
});
