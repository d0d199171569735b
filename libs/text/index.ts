/**
 * Text as people write it, made comparable: keys for search and equality that both databases agree on, slugs.
 */
export { emailKey, likePattern, searchKey, slugify } from './keys';
