import { defineJob } from '#libs/queue';

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
/** A code to the address that a user wants to have, unless someone has it. */
export const SEND_CHANGE_EMAIL = defineJob<AddressPayload & { userId: number }>('auth.send-change-email', {
  sealed: true,
});
