import { plainText } from '#libs/text';

const TEASER_LENGTH = 200;

/** What a teaser shows of an item's text: its first characters, without markup. */
export const teaser = (html: string): string => [...plainText(html)].slice(0, TEASER_LENGTH).join('');

/** The same where HTML is expected: no tag that was only text comes to life in it. */
export const teaserHtml = (html: string): string =>
  teaser(html).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
