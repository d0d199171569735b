import sanitizeHtml, { type IOptions } from 'sanitize-html';

const COMMENT_TAGS = [
  'p',
  'br',
  'a',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
];
const SCHEMES = ['http', 'https', 'mailto'];
const BLOCKS = /<\/?(p|br|div|li|ul|ol|tr|table|h[1-6]|blockquote|pre|hr|figure|figcaption)\b[^>]*>/gi;

/** More than any table in a list in a quotation; every read of what is nested deeper would pay for it. */
const MOST_NESTED = 50;

const COMMENT: IOptions = {
  nestingLimit: MOST_NESTED,
  allowedTags: COMMENT_TAGS,
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener' }) },
};

const ARTICLE: IOptions = {
  nestingLimit: MOST_NESTED,
  allowedTags: COMMENT_TAGS.concat(
    [
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'img',
      'figure',
      'figcaption',
      'div',
      'span',
      'sub',
      'sup',
      'mark',
    ],
    [
      'table',
      'caption',
      'thead',
      'tbody',
      'tfoot',
      'tr',
      'th',
      'td',
      'dl',
      'dt',
      'dd',
      'del',
      'ins',
      'small',
    ],
  ),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    '*': ['dir', 'lang'],
  },
  allowedSchemes: SCHEMES,
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
};

const MOST_PASSES = 5;

/**
 * Sanitises until nothing changes: what is dropped between two tags can leave nesting that the next reader
 * takes apart.
 */
function sanitize(html: string, options: IOptions): string {
  let safe = sanitizeHtml(html, options).trim();
  for (let pass = 1; pass < MOST_PASSES; pass++) {
    const again = sanitizeHtml(safe, options).trim();
    if (again === safe) break;
    safe = again;
  }
  return safe;
}

/** The HTML of a comment: paragraphs, emphasis, lists, quotes, code and links. */
export const sanitizeComment = (html: string): string => sanitize(html, COMMENT);

/** The HTML of an article: a comment's, and headings, tables and images. */
export const sanitizeArticle = (html: string): string => sanitize(html, ARTICLE);

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
};

/** The text of sanitised HTML, its blocks on lines of their own. */
export const plainText = (html: string): string =>
  sanitizeHtml(html.replace(BLOCKS, '\n'), { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Text as HTML that shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? char,
  );
