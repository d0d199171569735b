const SHORTNAME = /^[a-z0-9_+-]+$/;
/** No emoji is longer either. */
const LONGEST = 64;
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;
const VARIATION_SELECTOR = /\u{FE0F}/gu;

// A symbol that is text by default, unless a skin tone makes it an emoji.
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/** With the variation selector wherever the fully-qualified form of an emoji has one. */
const qualified = (text: string): string => text.replace(TEXT_BY_DEFAULT, '$&\u{FE0F}');

/**
 * The one spelling under which a reaction is counted: a shortname, or one emoji, whichever of its spellings
 * was sent. null when it is neither.
 */
export function normalizeEmoji(text: string): string | null {
  if (text.length > LONGEST) return null;
  const normal = text.normalize('NFC');
  if (SHORTNAME.test(normal)) return normal;
  const bare = normal.replace(VARIATION_SELECTOR, '');
  return [qualified(bare), bare, normal].find((spelling) => ONE_EMOJI.test(spelling)) ?? null;
}
