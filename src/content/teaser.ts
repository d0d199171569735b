import { escapeHtml, plainText } from '#libs/text';

const TEASER_LENGTH = 200;

/** What a teaser shows of an item's text: its first characters, without markup. */
export const teaser = (html: string): string => [...plainText(html)].slice(0, TEASER_LENGTH).join('');

/** `teaser()` where HTML is expected: what was written as text, `&lt;img&gt;`, becomes no tag by being cut. */
export const teaserHtml = (html: string): string => escapeHtml(teaser(html));
