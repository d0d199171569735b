import { BUNDLED_WORDS } from './bundled-words';
import { linksOf } from './links';
import { textKey } from './same-text';
import { WordList } from './word-list';
import { normalised } from './words';

const PIECES = {
  'one letter': 'a',
  words: 'ordinary words of a text ',
  'beginnings of phrases': 'two girls one piece of ',
  'signs for letters': '1!|@$',
  'signs in words': 'a1!l',
  'marks out of order': 'a\u0301\u0327',
  'marks only': '\u0301\u0327',
  'marks made by normalising': '\uff9e\u0301',
  'what normalises to many': '\ufdfa',
  'what normalises to several': '\u3316',
  'what normalises to several, with letters': '\u3316a',
  'nothing to be seen': '\u200b',
  'look-alikes': 'аa1',
  emoji: '🖕',
  'opened tags': '<a ',
  'unclosed addresses': '<a href="',
  brackets: '<',
  schemes: 'http://',
  'many links': 'http://a.b ',
  hosts: 'a.',
  dots: '.',
  dashes: '-',
  'hosts in other scripts': 'é.',
};
const OWN = new WordList(Array.from({ length: 20 }, (_, index) => `${'a '.repeat(index)}b`));

function judged(text: string): void {
  const normal = normalised(text);
  BUNDLED_WORDS.matches(normal);
  OWN.matches(normal);
  linksOf(text, normal);
  textKey(normal);
}

/** Of the processor alone, and the least of several: whatever else runs only adds. */
function milliseconds(text: string): number {
  let least = Infinity;
  for (let run = 0; run < 10; run++) {
    const begin = process.cpuUsage();
    judged(text);
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe('judging a text takes linear time', () => {
  it.each(Object.entries(PIECES))('%s', (name, piece) => {
    const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const once = milliseconds(text(10_000));
    const eightfold = milliseconds(text(80_000));
    process.stdout.write(`${name}: 10 KB ${once.toFixed(1)} ms, 80 KB ${eightfold.toFixed(1)} ms\n`);
    // Quadratic would be 64 times; below 40 ms a collection of garbage decides.
    expect(eightfold).toBeLessThan(Math.max(24 * once, 40));
  });
});
