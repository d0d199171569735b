import { ValidationError } from '#libs/errors';
import { sanitizeComment } from '#libs/markup';
import type { Written } from './moderation.service';

/** Something to read, and not only spaces, joiners and marks. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * What someone wrote, with only what comments may hold.
 * @param field what the request calls it
 * @throws ValidationError when nothing to read is left, or too much
 */
export function written(html: string, field = 'message'): Written {
  const marked = sanitizeComment(html);
  if (!marked) throw ValidationError.of(field, 'is too long once it is sanitised');
  if (!VISIBLE.test(marked.text)) throw ValidationError.of(field, 'must not be empty');
  return { message: marked.html, messagePlain: marked.text };
}
