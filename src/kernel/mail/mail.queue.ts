import { MailRefusedError } from '#libs/mail';
import { defineJob, retryEvery } from '#libs/queue';
import type { Letter } from './letters';

export interface SendMailPayload {
  to: string;
  letter: Letter;
}

/**
 * One mail. It is tried for about two days, so that a mail server may be away for a night, but not when the server
 * says that it will never take it. Its payload holds an address and perhaps a code, and is encrypted while it waits.
 */
export const SEND_MAIL = defineJob<SendMailPayload>('mail.send', {
  attempts: 60,
  delay: retryEvery(10, 3600),
  isFinal: (error) => error instanceof MailRefusedError,
  leaseSeconds: 60,
  sealed: true,
});
