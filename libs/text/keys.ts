import anyAscii from 'any-ascii';

const MARKS = /\p{M}+/gu;

/**
 * What search and equality compare: accents, case and spacing do not count, in any script. The application
 * makes it, so that it does not depend on a database's locale.
 */
export const searchKey = (text: string): string =>
  text
    // Before and after: putting marks in order that are piled up on one letter takes quadratic time.
    .replace(MARKS, '')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    // What lower-casing leaves apart but readers do not: sharp s and the final sigma.
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Under which an address counts as the same. */
export const emailKey = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** Escapes what `like` reads as a wildcard. */
export const likePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Lower-case ASCII letters, digits and single dashes; empty when nothing of the text can be spelled so. */
export const slugify = (text: string, maxLength: number): string =>
  anyAscii(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
