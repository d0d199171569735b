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
const BLOCKS = /<\/?(p|br|div|li|ul|ol|tr|table|h[1-6]|blockquote|pre|hr|figure|figcaption)\b[^<>]*>/gi;

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

/**
 * The parser looks through all open elements for each end tag, and moves them for each new one. What is open so
 * deep is no document, and what is deeper than MOST_NESTED is left out anyhow.
 */
const MOST_OPEN = 500;
const MOST_PASSES = 5;

/** Characters that no HTML may hold; JSON would take six for each of them. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const TAGS = /<[^<>]*>/g;

class TooDeep extends Error {}

/** HTML that is safe to show, and its text. */
export interface Marked {
  html: string;
  text: string;
}

/**
 * Sanitises until nothing changes: what is dropped between two tags can leave nesting that the next reader
 * takes apart.
 * @returns null when what is safe of it takes more than `bytes`
 */
function sanitize(html: string, options: IOptions, bytes: number): Marked | null {
  let safe = html;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const again = onePass(safe, options).trim();
    if (Buffer.byteLength(again) > bytes) return null;
    if (again === safe) break;
    safe = again;
  }
  return { html: safe, text: plainText(safe) };
}

function onePass(html: string, options: IOptions): string {
  const clean = html.replace(CONTROLS, '');
  let open = 0;
  const onOpenTag = (): void => {
    if (++open > MOST_OPEN) throw new TooDeep();
  };
  const onCloseTag = (): void => void open--;
  try {
    return sanitizeHtml(clean, { ...options, onOpenTag, onCloseTag });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return sanitizeHtml(clean.replace(TAGS, '').replaceAll('<', '&lt;'), options);
  }
}

/** What an article or a description has at most, before and after it is sanitised. */
export const ARTICLE_BYTES = 200 * 1024;
/** Room for what sanitising adds to the 10,000 characters of a comment: five for each `&`, attributes of links. */
const COMMENT_BYTES = 64 * 1024;

/** The HTML of a comment: paragraphs, emphasis, lists, quotes, code and links. Null when it is too long. */
export const sanitizeComment = (html: string): Marked | null => sanitize(html, COMMENT, COMMENT_BYTES);

/** The HTML of an article: a comment's, and headings, tables and images. Null when it is too long. */
export const sanitizeArticle = (html: string): Marked | null => sanitize(html, ARTICLE, ARTICLE_BYTES);

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
