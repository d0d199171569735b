import { writeLetter } from './letters';

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
