import { createHash } from 'node:crypto';
import { wordsOf } from './words';

/** Thanks and greetings are the same from everybody. */
const FEWEST_WORDS = 3;
const FEWEST_LETTERS = 20;

/** Under which two normalised texts count as the same: spaces, case and punctuation do not. Null when it is too short. */
export function textKey(text: string): string | null {
  const words = wordsOf(text);
  const compared = words.join(' ');
  if (words.length < FEWEST_WORDS && compared.length < FEWEST_LETTERS) return null;
  return createHash('sha256').update(compared).digest('base64url');
}
