import { writeLetter } from './letters';
import { LOCALES, localeOf } from './letters/locales';

describe('writeLetter', () => {
  const values = { platform: 'Sails & <b>more</b>\r\nBcc: x@evil.test', code: '012345', minutes: 10 };
  const letter = writeLetter({ name: 'sign-in', values });

  it('says the same as text and as HTML', () => {
    const sentence = 'Your code is 012345. It is valid for 10 minutes and for one sign-in.';
    expect(letter.text).toContain(sentence);
    expect(letter.html).toContain(`<p>${sentence}</p>`);
  });

  it('lets nothing that a person chose into the subject or the markup', () => {
    expect(letter.subject).toBe('Your sign-in code');
    expect(letter.html).toContain('Sails &amp; &lt;b&gt;more&lt;/b&gt;');
    expect(letter.html).not.toContain('<b>');
  });
});

describe('localeOf', () => {
  it.each([
    [null, 'en'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['ja, fr;q=0.4, es;q=0.8', 'es'],
    ['de;q=0, fr', 'fr'],
    ['constructor', 'en'],
    [';;q=,', 'en'],
  ] as const)('of %s is %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});

describe('every language', () => {
  it.each(Object.entries(LOCALES))('%s has every letter, with code and link in it', (_locale, texts) => {
    const code = texts['sign-in']({ platform: 'P', code: '012345', minutes: 10 });
    expect(code.paragraphs.join()).toContain('012345');
    const reset = texts['reset-password']({ platform: 'P', link: 'https://x.test/r', minutes: 60 });
    expect(reset.paragraphs).toContain('https://x.test/r');
    for (const write of Object.values(texts)) {
      const { subject } = write({ platform: 'P', code: '012345', minutes: 10, link: 'https://x.test/r' });
      expect(subject).not.toMatch(/[\r\n]|undefined/);
    }
  });
});
