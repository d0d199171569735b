/** What the service writes to people, by name, with what goes into the text. */
export interface Letters {
  'sign-in': { platform: string; code: string; minutes: number };
  'change-email': { platform: string; code: string; minutes: number };
  'already-a-member': { platform: string };
  'reset-password': { platform: string; link: string; minutes: number };
  'password-changed': { platform: string };
  'email-changes': { platform: string };
}

export type Letter<Name extends keyof Letters = keyof Letters> = {
  [Own in Name]: { name: Own; values: Letters[Own] };
}[Name];

export interface WrittenLetter {
  subject: string;
  text: string;
  html: string;
}

const WRITERS: { [Name in keyof Letters]: (values: Letters[Name]) => WrittenLetter } = {
  'sign-in': ({ platform, code, minutes }) =>
    written('Your sign-in code', platform, [
      `Your code is ${code}. It is valid for ${minutes} minutes and for one sign-in.`,
      'If you did not ask for it, you need not do anything.',
    ]),
  'change-email': ({ platform, code, minutes }) =>
    written('Confirm your new e-mail address', platform, [
      `Your code is ${code}. It is valid for ${minutes} minutes.`,
      'If you did not ask for it, you need not do anything.',
    ]),
  'already-a-member': ({ platform }) =>
    written('You have an account already', platform, [
      'Someone, probably you, tried to sign up with this address. It has an account already: sign in instead, or reset the password.',
    ]),
  'reset-password': ({ platform, link, minutes }) =>
    written('Reset your password', platform, [
      `To set a new password, open this link within ${minutes} minutes. It works once.`,
      link,
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ]),
  'password-changed': ({ platform }) =>
    written('Your password was changed', platform, [
      'The password of your account was changed, and every session has ended.',
      'If that was not you, reset the password at once.',
    ]),
  'email-changes': ({ platform }) =>
    written('Your e-mail address is about to change', platform, [
      'Someone signed in to your account asked to change its e-mail address. It changes once the new address is confirmed.',
      'If that was not you, change your password at once.',
    ]),
};

export const writeLetter = <Name extends keyof Letters>({ name, values }: Letter<Name>): WrittenLetter =>
  WRITERS[name](values);

/** Subjects are fixed texts: nothing that a user chose gets into a header. */
function written(subject: string, platform: string, paragraphs: string[]): WrittenLetter {
  const text = [...paragraphs, `— ${platform}`].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${linked(escape(paragraph))}</p>`),
    `<p>— ${escape(platform)}</p>`,
  ];
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head><body style="font-family:system-ui,sans-serif;line-height:1.5">${body.join('')}</body></html>`,
  };
}

/** A paragraph that is an address becomes a link. */
const linked = (html: string): string =>
  /^https?:\/\/\S+$/.test(html) ? `<a href="${html}">${html}</a>` : html;

const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  );
