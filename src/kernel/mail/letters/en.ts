import type { LetterTexts } from './letter-texts';

export const en: LetterTexts = {
  'sign-in': ({ code, minutes }) => ({
    subject: 'Your sign-in code',
    paragraphs: [
      `Your code is ${code}. It is valid for ${minutes} minutes and for one sign-in.`,
      'If you did not ask for it, you need not do anything.',
    ],
  }),
  'change-email': ({ code, minutes }) => ({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      `Your code is ${code}. It is valid for ${minutes} minutes.`,
      'If you did not ask for it, you need not do anything.',
    ],
  }),
  'already-a-member': () => ({
    subject: 'You have an account already',
    paragraphs: [
      'Someone, probably you, tried to sign up with this address. It has an account already: sign in instead, or reset the password.',
    ],
  }),
  'reset-password': ({ link, minutes }) => ({
    subject: 'Reset your password',
    paragraphs: [
      `To set a new password, open this link within ${minutes} minutes. It works once.`,
      link,
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  }),
  'password-changed': () => ({
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed, and every session has ended.',
      'If that was not you, reset the password at once.',
    ],
  }),
  'email-changes': () => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      'Someone signed in to your account asked to change its e-mail address. It changes once the new address is confirmed.',
      'If that was not you, change your password at once.',
    ],
  }),
  'email-changed': () => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'An administrator has changed the e-mail address of your account. This address signs in no more.',
      'If you did not expect this, ask the people who run the community.',
    ],
  }),
};
