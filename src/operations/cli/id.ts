import { ValidationError } from '#libs/errors';
import { MAX_ID } from '#libs/http';

/** @throws ValidationError when the text is no record's id */
export function idOf(text: string, option: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || id > MAX_ID) throw ValidationError.of(option, 'must be an id');
  return id;
}
