/** What the service writes to people, by name, with what goes into the text. */
export interface Letters {
  'sign-in-code': { platform: string; code: string; minutes: number };
}

export type Letter = { [Name in keyof Letters]: { name: Name; values: Letters[Name] } }[keyof Letters];

export interface WrittenLetter {
  subject: string;
  text: string;
  html: string;
}

const WRITERS: { [Name in keyof Letters]: (values: Letters[Name]) => WrittenLetter } = {
  'sign-in-code': ({ platform, code, minutes }) =>
    written('Your sign-in code', platform, [
      `Your code is ${code}. It is valid for ${minutes} minutes and for one sign-in.`,
      'If you did not ask for it, you need not do anything.',
    ]),
};

export const writeLetter = ({ name, values }: Letter): WrittenLetter => WRITERS[name](values);

/** Subjects are fixed texts: nothing that a user chose gets into a header. */
function written(subject: string, platform: string, paragraphs: string[]): WrittenLetter {
  const text = [...paragraphs, `— ${platform}`].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    `<p>— ${escape(platform)}</p>`,
  ];
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head><body style="font-family:system-ui,sans-serif;line-height:1.5">${body.join('')}</body></html>`,
  };
}

const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  );
