/** What a teaser shows of an item's text, in characters. */
export const TEASER_LENGTH = 200;

/** The part of an item's text, without markup, that a teaser shows. */
export const teaser = (plain: string): string =>
  // No character takes more than two code units; taking a long text apart would cost as much as the text is long.
  [...plain.slice(0, 2 * TEASER_LENGTH)].slice(0, TEASER_LENGTH).join('');
