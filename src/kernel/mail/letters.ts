import type { Letters, LetterText } from './letters/letter-texts';
import { LOCALES, type Locale } from './letters/locales';

export type Letter<Name extends keyof Letters = keyof Letters> = {
  [Own in Name]: { name: Own; values: Letters[Own] };
}[Name];

export interface WrittenLetter {
  subject: string;
  text: string;
  html: string;
}

/** The letter as text and as HTML that reads well on light and on dark. */
export const writeLetter = <Name extends keyof Letters>(
  { name, values }: Letter<Name>,
  locale: Locale = 'en',
): WrittenLetter => written(LOCALES[locale][name](values), values.platform, locale);

function written({ subject, paragraphs }: LetterText, platform: string, locale: Locale): WrittenLetter {
  const text = [...paragraphs, `— ${platform}`].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${linked(escape(paragraph))}</p>`),
    `<p>— ${escape(platform)}</p>`,
  ];
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head><body style="font-family:system-ui,sans-serif;line-height:1.5">${body.join('')}</body></html>`,
  };
}

/** A paragraph that is an address becomes a link. */
const linked = (html: string): string =>
  /^https?:\/\/\S+$/.test(html) ? `<a href="${html}">${html}</a>` : html;

const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  );
