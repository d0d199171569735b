import type { Settings } from '#libs/config';
import { FakeClock } from '#libs/testing';
import { InvalidImpressionTokenError } from './ads.errors';
import { ImpressionTokens } from './impression-tokens';

const clock = new FakeClock();
const tokensUnder = (...keys: string[]): ImpressionTokens =>
  new ImpressionTokens({ ENCRYPTION_KEY: keys } as Settings, clock);
const tokens = tokensUnder('first key');
const expectRefused = (token: string, adId = 7, by = tokens): void => {
  expect(() => by.nonceOf(adId, token)).toThrow(InvalidImpressionTokenError);
};

beforeEach(() => clock.set('2026-01-01T00:00:00.000Z'));

it('is told apart from every other, and known again', () => {
  const issued = Array.from({ length: 50 }, () => tokens.issue(7));
  expect(new Set(issued.map((token) => tokens.nonceOf(7, token))).size).toBe(50);
  expect(tokens.nonceOf(7, issued[0] ?? '')).toBe(issued[0]?.split('.')[1]);
});

it('is good for this ad only', () => {
  const token = tokens.issue(7);
  for (const other of [1, 70, 77]) expectRefused(token, other);
});

it('ends after a day, to the millisecond', () => {
  const token = tokens.issue(7);
  clock.set('2026-01-02T00:00:00.000Z');
  expect(tokens.nonceOf(7, token)).toHaveLength(16);
  clock.set('2026-01-02T00:00:00.001Z');
  expectRefused(token);
});

it('cannot be changed in any place, extended or made up', () => {
  const token = tokens.issue(7);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === '1' ? '2' : '1';
    expectRefused(token.slice(0, at) + other + token.slice(at + 1));
  }
  const [end = '', nonce = '', signature = ''] = token.split('.');
  for (const made of [
    '',
    '..',
    token.slice(0, -1),
    `${token}A`,
    `${token}\n`,
    `${Number(end) + 1}.${nonce}.${signature}`,
    `0${end}.${nonce}.${signature}`,
    `${end}.${nonce}.`,
    `${end}.${nonce}.${'A'.repeat(43)}`,
  ]) {
    expectRefused(made);
  }
});

it('outlives the rotation of the key, but not its removal', () => {
  const token = tokens.issue(7);
  expect(tokensUnder('second key', 'first key').nonceOf(7, token)).toHaveLength(16);
  expectRefused(token, 7, tokensUnder('second key'));
});
