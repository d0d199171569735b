/**
 * HTML as people write it, made safe: sanitised to an allow-list, and as plain text. Long texts are sanitised in
 * threads of their own.
 */
export { ARTICLE_BYTES, escapeHtml, type Marked, plainText, sanitizeComment } from './html';
export { Markup } from './markup';
