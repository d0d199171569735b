import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const refusal = ({ status, body }: Answer): unknown => [status, body.error?.code];
const save = (body: unknown, person: Parameters<World['as']>[0] = 'creator'): Promise<Answer> =>
  world.as(person).post('/api/content', body);
const found = async (q: string, client = world.as('free')): Promise<number[]> =>
  (await client.get(`/api/content/search?q=${q}&PlatformId=${world.platformId()}`)).body.items.map(
    ({ id }: { id: number }) => id,
  );

const HARMFUL =
  /<\/?(script|style|svg|math|iframe|form|noscript|textarea|button|object|embed|base|meta|link|template)\b|<[^>]*\s(on\w+|style|srcdoc|formaction|id|name)\s*=|(href|src)="\s*(javascript|vbscript|data|blob):/i;
const bare = (html: string): string => html.replace(/(title|alt)="[^"]*"/g, '$1=""');

describe('B3 stored scripts', () => {
  it.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<svg/onload=alert(1)>',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<a href="\u0001javascript:alert(1)">x</a>',
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<p style="background:url(javascript:alert(1))" onclick="alert(1)">x</p>',
    '<form id=test><input name=attributes></form><a id="location" name="location">x</a>',
  ])('%s', async (description) => {
    const { id } = await world.content({ description });
    const { body } = await world.as('free').get(`/api/content/${id}`);
    expect([body.description, HARMFUL.test(bare(body.description))]).toEqual([body.description, false]);
  });

  it('are text in a title, which is answered as it was sent', async () => {
    const title = '<script>alert(1)</script> & "quotes"';
    const { id } = await world.content({ title });
    const { body, headers } = await world.as('free').get(`/api/content/${id}`);
    expect([body.title, headers['content-type']]).toEqual([title, 'application/json; charset=utf-8']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('B4 markup that changes when it is read again', () => {
  it.each([
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<table><td><p><table><img src=x onerror=alert(1)></table>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
    '&lt;img src=x onerror=alert(1)&gt;',
  ])('%s', async (description) => {
    const { id, description: stored } = await world.content({ description });
    expect([stored, HARMFUL.test(bare(stored))]).toEqual([stored, false]);
    expect((await save({ id, description: stored })).body[0].description).toBe(stored);
  });
});

describe('B7 fields that nobody sets', () => {
  it('are ignored', async () => {
    const fields = {
      PlatformId: world.platformId('B'),
      viewCount: 5,
      commentCount: 5,
      locked: true,
      deletedAt: '2020-01-01',
      createdAt: '2020-01-01',
      gateClosed: true,
      moderationCategory: 'Spam',
      awaitsApproval: true,
      pinned: true,
      titleKey: 'x',
      User: { id: world.user('admin').id },
      Groups: [{ id: 1 }],
    };
    const created = await save({ title: 'Plain', type: 'article', visibility: 'public', ...fields });
    const { id } = created.body[0];
    const edited = await save({ id, description: '<p>More</p>', ...fields });
    for (const { status, body } of [created, edited]) {
      expect([status, body[0]]).toEqual([
        200,
        expect.objectContaining({
          PlatformId: world.platformId(),
          UserId: world.user('creator').id,
          viewCount: 0,
          commentCount: 0,
          locked: false,
          Groups: [],
          createdAt: created.body[0].createdAt,
        }),
      ]);
      expect(Date.parse(body[0].createdAt)).toBeGreaterThan(Date.parse('2025-01-01'));
    }
    const [row] = await query(
      `select "gateClosed", "moderationCategory", "awaitsApproval", pinned, "titleKey", "deletedAt" from contents where id = $1`,
      [id],
    );
    expect(row).toEqual({
      gateClosed: false,
      moderationCategory: null,
      awaitsApproval: false,
      pinned: false,
      titleKey: 'plain',
      deletedAt: null,
    });
  });
});

describe('B8 keys that reach a prototype', () => {
  it.each([
    '{"__proto__":{"polluted":1},"title":"T","type":"article"}',
    '{"title":"T","type":"article","options":{"a":{"__proto__":{"polluted":1}}}}',
    '{"title":"T","type":"article","options":{"constructor":{"prototype":{"polluted":1}}}}',
    '{"title":"T","type":"article","options":{"\\u005f_proto__":{"polluted":1}}}',
  ])('%s', async (body) => {
    expect(refusal(await save(body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('B9 SQL in values', () => {
  it.each(["'; drop table contents; --", "' or 1=1 --", '$1 $2', '%_\\', '"; select pg_sleep(9)'])(
    '%s',
    async (words) => {
      const { id } = await world.content({ title: `T ${words}`, options: { [words]: words } });
      const { body } = await world.as('free').get(`/api/content/${id}`);
      expect([body.title, body.options]).toEqual([`T ${words}`, { [words]: words }]);
      expect(await found(encodeURIComponent(`T ${words}`))).toEqual([id]);
      expect(refusal(await save({ id, slug: words }))).toEqual([400, 'VALIDATION_ERROR']);
      expect(refusal(await world.as('free').get(`/api/content/${encodeURIComponent(words)}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    },
  );
});

describe('B10 text that is none', () => {
  const faulty = ['a\0b', '\ud800', 'x\udc00'];
  it.each(['title', 'description', 'slug', 'video', 'featuredImage', 'contentURI', 'publishedDate'])(
    'in %s',
    async (field) => {
      for (const text of faulty) {
        const { status, body } = await save({ title: 'T', type: 'article', [field]: text });
        expect([status, body.error.details]).toEqual([400, [{ field, issue: expect.any(String) }]]);
      }
    },
  );

  it('in a key or value of options, and in a path or query', async () => {
    for (const text of faulty) {
      for (const options of [{ a: [text] }, { [text]: 1 }]) {
        expect(refusal(await save({ title: 'T', type: 'article', options }))).toEqual([
          400,
          'VALIDATION_ERROR',
        ]);
      }
    }
    for (const path of ['1%00/access', 'search?q=%00', '1/access?userId=1%00']) {
      const { status } = await world.as('admin').get(`/api/content/${path}`);
      expect([path, status]).toEqual([path, 400]);
    }
  });
});

describe('B11 numbers that are too big', () => {
  it.each([
    ['"id":2147483648', 'id'],
    ['"id":1e400', 'id'],
    ['"UserId":2147483648', 'UserId'],
    ['"KeywordIds":[1,4294967297]', 'KeywordIds'],
    ['"AccessTagIds":[-2147483649]', 'AccessTagIds'],
    ['"options":{"deep":[{"n":1e400}]}', 'options.deep.0.n'],
    ['"options":{"n":-1e400}', 'options.n'],
  ])('%s', async (member, field) => {
    const { status, body } = await save(`{"title":"T","type":"article",${member}}`);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  it('in a path or query', async () => {
    const { id } = await world.content();
    for (const [path, status] of [
      ['2147483648/access', 404],
      ['99999999999999999999/access', 404],
      ['1e3/access', 400],
      [`${id}/access?userId=2147483648`, 400],
      [`${id}/access?userId=1e400`, 400],
    ] as const) {
      expect([path, (await world.as('admin').get(`/api/content/${path}`)).status]).toEqual([path, status]);
    }
  });
});

describe('B12 addresses of this machine', () => {
  it.each([
    'http://017700000001/a',
    'http://0x7f.0.0.1/a',
    'http://0x7f.1/a',
    'http://127.0.0.1:8080/a',
    'http://%6c%6f%63alhost/a',
    'http://１２７.0.0.1/a',
    'http://127。0。0。1/a',
    'http://[0:0:0:0:0:ffff:7f00:1]/a',
    'http://[0000::0001]/a',
    'http://[2002:7f00:1::]/a',
    'http://[::ffff:0:127.0.0.1]/a',
    'http://[fe80::1%25eth0]/a',
    'http://user@127.0.0.1/a',
    'http://example.org@127.0.0.1/a',
    'http://127.0.0.1\\@example.org/a',
    'http://sub.localhost./a',
  ])('%s', async (url) => {
    for (const field of ['video', 'featuredImage']) {
      const { status, body } = await save({ title: 'T', type: 'video', [field]: url });
      expect([field, status, body.error?.details?.[0].field]).toEqual([field, 400, field]);
    }
  });
});

describe('B13 slugs that are taken at the same time', () => {
  const atOnce = (bodies: object[]): Promise<Answer[]> =>
    Promise.all(bodies.map((body) => save({ type: 'article', ...body })));

  it('go to one of 20 who name it', async () => {
    const answers = await atOnce(Array.from({ length: 20 }, () => ({ title: 'Any', slug: 'wanted' })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body[0].slug)).toEqual([
      'wanted',
    ]);
    expect(refused.map(({ status, body }) => [status, body.error.details])).toEqual(
      Array.from({ length: 19 }, () => [400, [{ field: 'slug', issue: 'taken' }]]),
    );
  });

  it('are never taken for those who name none', async () => {
    const named = (slug: string): object => ({ title: 'Named', slug });
    const made = { title: 'Regatta' };
    const answers = await atOnce([
      made,
      named('regatta'),
      made,
      named('regatta-2'),
      made,
      named('regatta-3'),
      made,
    ]);
    const unnamed = answers.filter((_, index) => index % 2 === 0);
    expect(unnamed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const slugs = answers.filter(({ status }) => status === 200).map(({ body }) => body[0].slug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });
});

describe('B14 addresses that are no web addresses', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'JaVaScRiPt:alert(1)',
    'http:javascript:alert(1)',
    'blob:x',
  ])('%s', async (url) => {
    for (const field of ['video', 'featuredImage', 'contentURI']) {
      expect(refusal(await save({ title: 'T', type: 'video', [field]: url }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    }
  });
});

describe('B18 bodies that are too big', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it('too deep, too long, or with too many ids', async () => {
    const withOptions = (options: string): Promise<Answer> =>
      save(`{"title":"T","type":"article","options":${options}}`);
    expect((await withOptions(nested(30))).status).toBe(200);
    for (const options of [nested(32), nested(10_000), `[${'['.repeat(5000)}${']'.repeat(5000)}]`]) {
      expect(refusal(await withOptions(options))).toEqual([400, 'VALIDATION_ERROR']);
    }
    const ofSize = (bytes: number): string => JSON.stringify({ a: 'é'.repeat((bytes - 8) / 2) });
    expect((await withOptions(ofSize(32 * 1024))).status).toBe(200);
    expect(refusal(await withOptions(ofSize(32 * 1024 + 2)))).toEqual([400, 'VALIDATION_ERROR']);
    const ids = Array.from({ length: 501 }, (_, index) => index + 1);
    for (const field of ['GroupIds', 'AccessTagIds', 'KeywordIds']) {
      const { status, body } = await save({ title: 'T', type: 'article', [field]: ids });
      expect([status, body.error.details]).toEqual([400, [{ field, issue: expect.any(String) }]]);
    }
  });

  it('a text of 200 KB is taken, a body of over 1 MiB is not', async () => {
    const description = 'x'.repeat(200 * 1024);
    expect((await world.content({ description })).description).toBe(description);
    expect(
      refusal(await save({ title: 'T', type: 'article', description: 'x'.repeat(1024 * 1024) })),
    ).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
