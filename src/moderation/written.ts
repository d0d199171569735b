import { ValidationError } from '#libs/errors';
import { plainText, sanitizeComment } from '#libs/text';
import type { Written } from './moderation.service';

/** Something to read, and not only spaces, joiners and marks. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * What someone wrote, with only what comments may hold.
 * @param field what the request calls it
 * @throws ValidationError when nothing to read is left
 */
export function written(html: string, field = 'message'): Written {
  const message = sanitizeComment(html);
  const messagePlain = plainText(message);
  if (!VISIBLE.test(messagePlain)) throw ValidationError.of(field, 'must not be empty');
  return { message, messagePlain };
}
