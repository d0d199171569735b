/** What readers do not see, and marks that make no letter with what they stand on. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Script=Inherited}]/gu;
/** More marks on one letter than any script has; putting many in order would take quadratic time. */
const PILED_MARKS = /([\p{M}\uFF9E\uFF9F]{4})[\p{M}\uFF9E\uFF9F]+/gu;
/** Ligatures of whole Arabic sentences, which would make the text many times as long. */
const SENTENCES = /[\uFDFA\uFDFB]/g;
const WORDS = /\p{Extended_Pictographic}|[\p{L}\p{M}\p{N}]+/gu;

/** One spelling for what looks alike: compatibility forms, case, characters that nobody sees. */
export const normalised = (text: string): string =>
  text.replace(PILED_MARKS, '$1').replace(SENTENCES, ' ').normalize('NFKC').toLowerCase().replace(UNSEEN, '');

/** The words of a normalised text; an emoji is a word too. */
export const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];

const SIGNS = /[0134578@$!|9]|[^\P{L}\p{Script=Latin}]/u;
const WORDS_WITH_SIGNS = /[\p{L}\p{M}\p{N}@$!|]+/gu;
const REPEATED = /(.)\1{3,}/gu;
const LONGEST = 300;
const DIGITS = /\p{N}/gu;

const LETTER_OF: Record<string, string> = {
  ...{ 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's' },
  // Cyrillic and Greek letters that look Latin.
  ...{ а: 'a', в: 'b', е: 'e', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x' },
  ...{ і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', һ: 'h', α: 'a', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', υ: 'u' },
};
/** These stand for either. */
const READINGS_OF_ONE = ['i', 'l'];

/**
 * The words of a normalised text as those read them who write letters as digits and signs (`sh1t`, `a$$`) or in
 * the look-alikes of another script. None when there is nothing of that kind.
 */
export function wordsBehindSigns(text: string): string[][] {
  if (!SIGNS.test(text)) return [];
  const words = text.match(WORDS_WITH_SIGNS) ?? [];
  return READINGS_OF_ONE.map((one) => words.map((word) => behindSigns(word, one)));
}

function behindSigns(word: string, one: string): string {
  const bare = squeezed(trimmed(word));
  // A number is a number, and so is the name of a road or a telephone: A55.
  if (!/[a-z]/.test(bare) || 2 * (bare.match(DIGITS)?.length ?? 0) > bare.length) return bare;
  return Array.from(bare, (sign) => ('1!|'.includes(sign) ? one : (LETTER_OF[sign] ?? sign))).join('');
}

/** A very long word, its repetitions cut; what is long all the same is not on any list. */
const squeezed = (word: string): string =>
  word.length <= LONGEST ? word : word.replace(REPEATED, '$1$1$1').slice(0, LONGEST);

/** Without the exclamation marks and bars around it. */
function trimmed(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && '!|'.includes(word.charAt(start))) start++;
  while (end > start && '!|'.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}
