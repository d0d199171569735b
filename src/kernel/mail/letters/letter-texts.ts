/** What the service writes to people, by name, with what goes into the text. */
export interface Letters {
  'sign-in': { platform: string; code: string; minutes: number };
  'change-email': { platform: string; code: string; minutes: number };
  'already-a-member': { platform: string };
  'reset-password': { platform: string; link: string; minutes: number };
  'password-changed': { platform: string };
  'email-changes': { platform: string };
  'email-changed': { platform: string };
}

/** A letter in one language. Subjects are fixed texts: nothing that a user chose gets into a header. */
export interface LetterText {
  subject: string;
  paragraphs: string[];
}

/** All letters in one language. */
export type LetterTexts = { [Name in keyof Letters]: (values: Letters[Name]) => LetterText };
