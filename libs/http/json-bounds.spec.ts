import { boundsFault } from './json-bounds';

const faultOf = (json: string): string | null => boundsFault(Buffer.from(json));
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, key) => `"k${key}":1`).join(',')}}`;
const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
const list = (count: number, value = '1'): string => `[${Array(count).fill(value).join(',')}]`;

describe('boundsFault', () => {
  it.each([
    ['nothing', ''],
    ['32 levels', nested(32)],
    ['32 levels again and again', list(100, nested(31))],
    ['1,000 keys', keys(1000)],
    ['1,000 keys in each of many objects', list(9, keys(1000))],
    ['20,000 values', list(19_998)],
    ['signs in a text', JSON.stringify({ text: '[{,:"\\'.repeat(30_000) })],
    ['signs in a key', JSON.stringify({ ['[{,:"\\'.repeat(30_000)]: 1 })],
    ['a text that ends in a backslash', JSON.stringify(['\\', '\\\\', '\\"'])],
    ['a text without an end', `"${':'.repeat(30_000)}\\`],
  ])('takes %s', (_, json) => {
    expect(faultOf(json)).toBeNull();
  });

  it.each([
    ['33 levels', nested(33), 'nested over 32 levels'],
    ['lists in lists', '['.repeat(33), 'nested over 32 levels'],
    ['1,001 keys', keys(1001), 'over 1000 keys in an object'],
    ['1,001 times the same key', `{${Array(1001).fill('"a":1').join(',')}}`, 'over 1000 keys in an object'],
    ['1,001 keys deep inside', `{"a":[{"b":${keys(1001)}}]}`, 'over 1000 keys in an object'],
    [
      'keys around an inner object',
      `{"a":${keys(600)},${keys(1000).slice(1)}`,
      'over 1000 keys in an object',
    ],
    ['20,001 values', list(20_000), 'over 20000 values'],
    ['20,001 empty lists', list(20_000, '[]'), 'over 20000 values'],
    ['20,001 values of many objects', list(20_000, '{"a":1}'), 'over 20000 values'],
  ])('refuses %s', (_, json, fault) => {
    expect(faultOf(json)).toBe(fault);
  });

  it.each(['}}]]::', '{"a"', ']', '{,}', '"'])('leaves to the parser what is no JSON: %s', (json) => {
    expect(faultOf(json)).toBeNull();
  });
});
