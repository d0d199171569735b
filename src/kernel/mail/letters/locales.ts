import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import type { LetterTexts } from './letter-texts';

/** One file a language; a new one is added here. */
export const LOCALES = { en, de, es, fr } satisfies Record<string, LetterTexts>;
export type Locale = keyof typeof LOCALES;

const DEFAULT: Locale = 'en';

const isLocale = (tag: string): tag is Locale => Object.hasOwn(LOCALES, tag);

/** The first language of an `Accept-Language`, by its weights, in which there are letters. */
export function localeOf(acceptLanguage: string | null): Locale {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', weight] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/);
      return { tag: tag.split('-', 1)[0] ?? '', weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ tag, weight }) => weight > 0 && isLocale(tag))
    .toSorted((one, other) => other.weight - one.weight);
  const [first] = wanted;
  return first && isLocale(first.tag) ? first.tag : DEFAULT;
}
