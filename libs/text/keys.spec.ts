import fc from 'fast-check';
import { emailKey, likePattern, searchKey, slugify } from './keys';

describe('searchKey', () => {
  it.each([
    ['  Crème\n BRÛLÉE ', 'creme brulee'],
    ['Straße', 'STRASSE'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ﬁne', 'FINE'],
    ['İSTANBUL', 'istanbul'],
    ['Ё', 'е'],
    ['خَرِيطَة', 'خريطة'],
    ['한국', '한국'.normalize('NFD')],
    ['ＡＢＣ', 'abc'],
  ])('counts %j as %j', (one, other) => {
    expect(searchKey(one)).toBe(searchKey(other));
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(searchKey(searchKey(text))).toBe(searchKey(text));
      }),
      { numRuns: 2000 },
    );
  });
});

it('searchKey takes linear time, whatever marks are piled up', () => {
  for (const marks of ['\u0301\u0327', '\uff9e\u0301', '\u05b0\u0301\u0327']) {
    const begin = process.cpuUsage();
    expect(searchKey(`a${marks.repeat(50_000)}`)).toBe('a');
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(300);
  }
});

describe('slugify', () => {
  it.each([
    ['Tide Tables!', 'tide-tables'],
    ["Sailor's — “Log”", 'sailors-log'],
    ['Ünïcödé Straße', 'unicode-strasse'],
    ['--a__b--', 'a-b'],
    ['!!!', ''],
  ])('%j is %j', (text, slug) => {
    expect(slugify(text, 80)).toBe(slug);
  });

  it('makes what a slug may be, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 80 }), (text, max) => {
        const slug = slugify(text, max);
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

it('likePattern escapes what like reads as a wildcard', () => {
  expect(likePattern('50%_\\x')).toBe('50\\%\\_\\\\x');
});

it('emailKey ignores case, spaces and compatibility forms', () => {
  expect(emailKey(' ＡDA@Example.ORG ')).toBe('ada@example.org');
});
