import fc from 'fast-check';
import * as markup from './html';

const { plainText } = markup;
const sanitizeArticle = (html: string): string => markup.sanitizeArticle(html)?.html ?? 'too long';
const sanitizeComment = (html: string): string => markup.sanitizeComment(html)?.html ?? 'too long';

const ATTACKS = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<p title="<img src=x onerror=alert(1)>">y</p>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="https://example.org" style="position:fixed" onclick=x>z</a>',
  '<form action=x><button formaction=javascript:alert(1)>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<style>@import "x"</style>',
];
const TAGS = /<\/?(script|style|svg|math|iframe|form|noscript|textarea|button|object)\b/i;
const ATTRIBUTES = /<[^>]*\s(on\w+|style|srcdoc)\s*=/i;
const ADDRESSES = /(href|src)="\s*(javascript|vbscript|data):/i;

function isHarmless(html: string): boolean {
  // What stands quoted in an attribute is text.
  const bare = html.replace(/="[^"]*"/g, '=""');
  return !ADDRESSES.test(html) && !TAGS.test(bare) && !ATTRIBUTES.test(bare);
}

describe.each([
  ['sanitizeComment', sanitizeComment],
  ['sanitizeArticle', sanitizeArticle],
])('%s', (_, sanitize) => {
  it.each(ATTACKS)('disarms %s', (html) => {
    const safe = sanitize(html);
    expect([safe, isHarmless(safe)]).toEqual([safe, true]);
  });

  it('changes nothing the second time, however the pieces are put together', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...ATTACKS,
        '<p>',
        '</p>',
        '<b',
        '>',
        '"',
        '&lt;',
        '&amp;',
        '<a href="',
        '<!--',
        ']]>',
        ' ',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = sanitize(pieces.join(''));
        expect([once, isHarmless(once)]).toEqual([once, true]);
        expect(sanitize(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});

it('comments keep links, which are not followed, and no images or headings', () => {
  expect(
    sanitizeComment(
      '<h1>a</h1><img src="https://example.org/a.png"><a href="mailto:a@example.org" title="t">b</a>',
    ),
  ).toBe('a<a href="mailto:a@example.org" rel="nofollow ugc noopener">b</a>');
});

it('what is nested deeper than any text is left out, and its text stays', () => {
  const html = sanitizeArticle(`${'<b>'.repeat(60_000)}deep<p>below</p>`);
  expect([plainText(html), html.length < 1000]).toEqual([expect.stringMatching(/^deep\s*below$/), true]);
  const list = `${'<ul><li>'.repeat(20)}x${'</li></ul>'.repeat(20)}`;
  expect(sanitizeArticle(list)).toBe(list);
});

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>Two<br>Three</p>', 'One\n\nTwo\nThree'],
    ['a<b>b</b>c', 'abc'],
    ['<ul><li>1</li><li>2</li></ul>', '1\n\n2'],
    ['&amp;lt; &lt;b&gt; &quot;&nbsp;x', '&lt; <b> " x'],
    ['<p> </p>', ''],
    ['<a href="https://example.org">text</a>', 'text'],
  ])('of %s is %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });
});

it('characters that no HTML may hold are left out, however they are written', () => {
  expect(sanitizeArticle('<p>a\u0001b&#1;c&#x1f;\u001f\td\n</p>')).toBe('<p>abc\td\n</p>');
});

it('what is too long once it is sanitised is refused, and its text comes with what is not', () => {
  expect(markup.sanitizeArticle('&'.repeat(markup.ARTICLE_BYTES / 5))?.text).toHaveLength(
    markup.ARTICLE_BYTES / 5,
  );
  expect(markup.sanitizeArticle('&'.repeat(markup.ARTICLE_BYTES / 5 + 1))).toBeNull();
  // Whatever 10,000 characters are typed as text, a comment has room for them.
  for (const character of ['&', '<', '語', '😀']) {
    expect(markup.sanitizeComment(character.repeat(10_000))?.text).toBe(character.repeat(10_000));
  }
  expect(markup.sanitizeComment('<a>'.repeat(3_333))).toBeNull();
});

/** What made the parser slow, or makes much of little. */
const HOSTILE = [
  '<b>',
  '<x>',
  '<x><p>',
  '<ul><li>',
  '<table><tr><td>',
  '<svg>',
  '</b>',
  '<p',
  '<a ',
  '<!--',
  '<iframe>',
  '</',
  '<title>',
  '&',
  '<',
  '<a>',
  '&#x',
  '"',
  ' ',
  '<b>x</b>',
  '<b></i>',
  '<p>',
];

it('takes linear time, whatever is written', () => {
  for (const piece of HOSTILE) {
    const took = (length: number): number => {
      const html = piece.repeat(Math.floor(length / piece.length));
      const begin = process.cpuUsage();
      markup.sanitizeArticle(html);
      return process.cpuUsage(begin).user / 1000;
    };
    took(20_000);
    const [short, long] = [took(20_000), took(160_000)];
    expect([piece, long < 24 * Math.max(short, 2)]).toEqual([piece, true]);
  }
});
