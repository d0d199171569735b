/**
 * Text as people write it, made safe or comparable: HTML sanitised to an allow-list, HTML as plain text,
 * keys for search and equality that both databases agree on, slugs.
 */
export { escapeHtml, plainText, sanitizeArticle, sanitizeComment } from './html';
export { emailKey, likePattern, searchKey, slugify } from './keys';
