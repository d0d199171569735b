import { normalizeEmoji } from './emoji';

describe('normalizeEmoji', () => {
  it.each([
    ['heart', 'heart'],
    ['+1', '+1'],
    ['e_-9', 'e_-9'],
    ['❤', '❤️'],
    ['❤️', '❤️'],
    ['👍', '👍'],
    ['👍\u{FE0F}', '👍'],
    ['👍🏽', '👍🏽'],
    ['☝🏽', '☝🏽'],
    ['☝', '☝️'],
    ['❤‍🔥', '❤️‍🔥'],
    ['👁‍🗨', '👁️‍🗨️'],
    ['🕵🏽‍♀', '🕵🏽‍♀️'],
    ['🕵️‍♀️', '🕵️‍♀️'],
    ['🏳‍🌈', '🏳️‍🌈'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['🇩🇪', '🇩🇪'],
    ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['1⃣', '1️⃣'],
    ['©', '©️'],
  ])('counts %s as %s', (sent, counted) => {
    expect(normalizeEmoji(sent)).toBe(counted);
    expect(normalizeEmoji(counted)).toBe(counted);
  });

  it.each([
    '',
    'Heart',
    'a b',
    '❤️❤️',
    '❤a',
    '🇩',
    'é',
    '\u{FE0F}',
    '\u200d',
    '🏽‍',
    'x'.repeat(65),
    '<',
    'ａ',
  ])('refuses %j', (sent) => {
    expect(normalizeEmoji(sent)).toBeNull();
  });
});
