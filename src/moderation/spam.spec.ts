import { domainOf, isWithin, linksOf } from './links';
import { textKey } from './same-text';
import { brokenRule, type Facts, SpamLimits } from './spam';
import { normalised } from './words';

const NOW = new Date('2026-05-01T12:00:00Z');
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const CLEAN: Facts = {
  memberSince: ago(1000),
  othersWithText: 0,
  commentsOfMinute: 0,
  commentsOfWeek: 0,
  removedOfWeek: 0,
};

describe('brokenRule', () => {
  const links = (count: number, ...hosts: string[]) => ({ count, hosts: new Set(hosts) });
  const BLOCKED = new Set(['bad.example']);

  it.each([
    ['nothing', links(0), {}, null],
    ['three links', links(3), {}, null],
    ['four links', links(4), {}, 'links'],
    ['a link of a new account', links(1), { memberSince: ago(23.9) }, 'newAccount'],
    ['a link of an account a day old', links(1), { memberSince: ago(24) }, null],
    ['no link of a new account', links(0), { memberSince: NOW }, null],
    ['the second with the text', links(0), { othersWithText: 1 }, null],
    ['the third with the text', links(0), { othersWithText: 2 }, 'sameText'],
    ['a blocked domain, named', links(0, 'bad.example'), {}, 'domain'],
    ['below a blocked domain', links(1, 'www.bad.example'), {}, 'domain'],
    ['a domain that ends alike', links(1, 'notbad.example'), {}, null],
    ['a fifth comment in a minute', links(0), { commentsOfMinute: 4 }, null],
    ['a sixth', links(0), { commentsOfMinute: 5 }, 'pace'],
    ['4 of 4 removed', links(0), { commentsOfWeek: 4, removedOfWeek: 4 }, null],
    ['3 of 10 removed', links(0), { commentsOfWeek: 10, removedOfWeek: 3 }, null],
    ['4 of 10 removed', links(0), { commentsOfWeek: 10, removedOfWeek: 4 }, 'record'],
    ['2 of 5 removed', links(0), { commentsOfWeek: 5, removedOfWeek: 2 }, 'record'],
    ['the first of several rules', links(4), { othersWithText: 2, commentsOfMinute: 9 }, 'links'],
  ])('%s', (_, found, facts, rule) => {
    expect(brokenRule(found, { ...CLEAN, ...facts }, BLOCKED, new SpamLimits(), NOW)).toBe(rule);
  });
});

describe('linksOf', () => {
  const anchor = (href: string, text = 'x'): string => `<a href="${href}" rel="nofollow">${text}</a>`;

  it.each([
    ['plain text', 0, []],
    ['<p>at 10.30, e.g. now</p>', 0, ['10.30', 'e.g']],
    [anchor('https://a.example/b?c=1&amp;d=2'), 1, ['a.example']],
    [anchor('https://a.example', 'https://a.example'), 1, ['a.example']],
    ['http://a.example and www.b.example/c', 2, ['a.example', 'www.b.example']],
    [
      anchor('https://www.a.example', '<b>www.a.example</b>') + ' HTTP://B.example.',
      2,
      ['www.a.example', 'b.example'],
    ],
    [anchor('mailto:me@a.example?subject=b.c'), 1, ['a.example']],
    [anchor('https://user@a.ex%61mple:8080'), 1, ['a.example']],
    [anchor('https://bücher.example'), 1, ['xn--bcher-kva.example']],
    ['see Bücher.example', 0, ['xn--bcher-kva.example']],
    ['ａ.example', 0, ['a.example']],
    ['a\u200b.exam\u200bple', 0, ['a.example']],
  ])('%s', (message, count, hosts) => {
    const text = message.replace(/<[^>]*>/g, '');
    const found = linksOf(message, normalised(text));
    expect(found.count).toBe(count);
    expect([...found.hosts]).toEqual(hosts);
  });
});

it.each([
  ['bad.example', 'bad.example'],
  [' Bad.Example ', 'bad.example'],
  ['https://bad.example/path', 'bad.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['word', null],
  ['two words', null],
  ['the end.', null],
  ['.com', null],
  ['bad.example please', null],
])('the entry %j names the domain %j', (entry, domain) => {
  expect(domainOf(entry)).toBe(domain);
});

it('a host is within a domain, not beside it', () => {
  const domains = new Set(['b.example']);
  expect(
    ['b.example', 'a.b.example', 'ab.example', 'example', 'b.example.org'].map((host) =>
      isWithin(host, domains),
    ),
  ).toEqual([true, true, false, false, false]);
});

describe('textKey', () => {
  const key = (text: string): string | null => textKey(normalised(text));

  it('takes spellings of one text for the same', () => {
    expect(key('Buy my watches, now!')).toBe(key('  buy\nMY  wat\u200bches — ＮＯＷ'));
    expect(key('Buy my watches now')).not.toBe(key('Buy my clocks now'));
  });

  it('has none for what everybody says', () => {
    expect(['Thanks!', 'Happy birthday!', '👍', '+1'].map(key)).toEqual([null, null, null, null]);
    expect([key('x'.repeat(20)), key('see you there')]).not.toContain(null);
  });
});
