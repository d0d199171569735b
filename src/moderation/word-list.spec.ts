import { WordList } from './word-list';
import { normalised } from './words';

const matches = (entries: string[], text: string, ordinary: string[] = []): boolean =>
  new WordList(entries, ordinary).matches(normalised(text));

it.each([
  [['landlubber'], 'You LANDLUBBER', true],
  [['landlubber'], 'landlubbers', false],
  [['Land Lubber'], 'a land-lubber', true],
  [['land lubber'], 'land and lubber', false],
  [['a b c', 'b d'], 'a b d', true],
  [['a a b'], 'a a a b', true],
  [['con'], 'coon', false],
  [['con'], 'cooon', true],
  [['coon'], 'con', false],
  [['coon'], 'cooooon', true],
  [['хам'], 'Хам!', true],
  [['गाली'], 'यह गाली है', true],
  [['गाली'], 'गाल', false],
  [['2 girls'], '2 girls', true],
  [['!?', '', ' '], 'anything !?', false],
])('%j in %j: %s', (entries, text, expected) => {
  expect(matches(entries, text)).toBe(expected);
});

it('lets ordinary words be that look like stretched ones', () => {
  expect(matches(['foder'], 'fodder', ['fodder'])).toBe(false);
  expect(matches(['foder'], 'foodder', ['fodder'])).toBe(true);
});
