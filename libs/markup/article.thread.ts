import { sanitizeArticle } from './html';

/** What the threads of `Markup` run. */
export default sanitizeArticle;
