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
const collected = async (id: number, client = world.as('free')): Promise<number[]> => {
  const { body } = await client.get(`/api/collection/${world.platformId()}?showHidden=true`);
  const listed = body.flatMap(({ Contents }: { Contents: { id: number }[] }) => Contents);
  return listed.map((one: { id: number }) => one.id).filter((one: number) => one === id);
};
const inCollection = (id: number): Promise<Answer> =>
  world.as('admin').post('/api/collection', { name: `Holds ${id}`, ContentIds: [id] });

describe('B1 an item of another platform', () => {
  it.each(['private', 'members'] as const)('%s answers as one that is not there', async (visibility) => {
    const { id } = await world.content({ title: 'Foreign words', visibility }, 'B');
    const admin = world.as('admin');
    const missing = 2_000_000_000;
    const calls = (one: number): Promise<Answer>[] => [
      admin.get(`/api/content/${one}`),
      admin.post('/api/content', { id: one, title: 'Mine' }),
      admin.delete(`/api/content/${one}`),
    ];
    const said = async (one: number): Promise<unknown[]> =>
      (await Promise.all(calls(one))).map(({ status, body }) => [status, { ...body.error, requestId: '' }]);
    expect(await said(id)).toEqual(await said(missing));
    expect((await world.as('creator', 'B').get(`/api/content/${id}`)).body.title).toBe('Foreign words');
  });

  it('is put in no collection', async () => {
    const { id } = await world.content({}, 'B');
    expect(refusal(await inCollection(id))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('B2 a private item', () => {
  it('is nowhere for those who are not its author or staff', async () => {
    const { id } = await world.content({ title: 'Whispered', visibility: 'private' });
    await inCollection(id);
    for (const client of [
      world.as('premium'),
      world.as('banned'),
      world.anonymous(),
      world.as('admin', 'B'),
    ]) {
      expect(await found('whispered', client)).toEqual([]);
      expect(await collected(id, client)).toEqual([]);
      for (const path of ['access', 'reactions']) {
        expect(refusal(await client.get(`/api/content/${id}/${path}`))).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect([
      await found('whispered', world.as('otherCreator')),
      await collected(id, world.as('admin')),
    ]).toEqual([[id], [id]]);
  });
});

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

describe('B5 items that are not out yet, or over', () => {
  it.each([{ publishedDate: '2100-01-01' }, { expireDate: '2020-01-01' }])('%j', async (dates) => {
    const [time = ''] = Object.values(dates);
    const { id } = await world.content({ title: `Timed ${time}`, ...dates });
    await inCollection(id);
    for (const client of [world.as('premium'), world.anonymous()]) {
      expect(await found(`timed%20${time}`, client)).toEqual([]);
      expect(await collected(id, client)).toEqual([]);
      expect((await client.get(`/api/content/${id}/reactions`)).status).toBe(404);
    }
    expect((await world.as('premium').get(`/api/content/${id}`)).status).toBe(404);
    expect((await world.as('otherCreator').get(`/api/content/${id}`)).status).toBe(200);
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

describe('B15 e-mail addresses', () => {
  it('are in no answer about content', async () => {
    const group = await world.group();
    const [keyword] = (await world.as('creator').post('/api/keyword', { title: 'Post' })).body;
    const created = await save({
      title: 'Signed',
      type: 'article',
      visibility: 'public',
      GroupIds: [group.id],
      KeywordIds: [keyword.id],
    });
    const { id } = created.body[0];
    await inCollection(id);
    const admin = world.as('admin');
    const answers = [
      created,
      await admin.get(`/api/content/${id}`),
      await admin.get(`/api/content/${id}/access?userId=${world.user('free').id}`),
      await admin.get('/api/content/search?q=signed'),
      await admin.get('/api/content/search?q=people.test'),
      await admin.get(`/api/collection/${world.platformId()}`),
      await admin.get('/api/keywords'),
      await admin.delete(`/api/content/${id}`),
    ];
    for (const { status, text } of answers)
      expect([status, text]).toEqual([200, expect.not.stringMatching(/@|"email/)]);
    expect(answers[4]?.body.items).toEqual([]);
  });
});

describe('B16 someone who is staff no more', () => {
  const demote = (role: string): Promise<unknown> =>
    query(`update users set role = $2 where id = $1`, [world.user('otherCreator').id, role]);
  afterAll(() => demote('creator'));

  it('edits no article, and of a post what members may', async () => {
    const article = await world.content({ type: 'article' }, 'A', 'otherCreator');
    const [tag] = await query(
      `insert into access_tags ("PlatformId", title) values ($1, 'Patrons') returning id`,
      [world.platformId()],
    );
    const decided = {
      visibility: 'private',
      featured: true,
      publishedDate: '2020-01-01T00:00:00.000Z',
      slug: 'decided',
      options: { a: [1] },
      video: 'https://example.org/a.mp4',
      contentURI: 'https://example.org/a.pdf',
      AccessTagIds: [tag.id],
      requiredRole: 'premium',
    };
    const [post] = (await save({ title: 'Post', type: 'post', ...decided }, 'otherCreator')).body;
    await demote('free');

    const title = 'Changed';
    expect(refusal(await save({ id: article.id, title }, 'otherCreator'))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await save({ id: article.id, type: 'post' }, 'otherCreator'))).toEqual([403, 'FORBIDDEN']);
    expect((await world.as('free').get(`/api/content/${article.id}`)).body).toEqual({
      ...article,
      User: { ...article.User, role: 'free' },
    });

    // What staff decided stands as it is: neither another value nor the default.
    const changes = {
      visibility: 'members',
      featured: false,
      publishedDate: null,
      slug: 'other',
      options: null,
      video: null,
      contentURI: null,
      AccessTagIds: [],
      requiredRole: null,
    };
    for (const [field, value] of Object.entries(changes)) {
      const { status, body } = await save({ id: post.id, [field]: value }, 'otherCreator');
      expect([field, status, body.error?.code, body.error?.details?.[0].field]).toEqual([
        field,
        403,
        'ROLE_FORBIDDEN',
        field,
      ]);
    }
    const { status, body } = await save({ id: post.id, title, ...decided }, 'otherCreator');
    expect([status, body]).toEqual([
      200,
      [{ ...post, title, User: { ...post.User, role: 'free' }, updatedAt: expect.any(String) }, false],
    ]);
    expect((await world.as('otherCreator').delete(`/api/content/${article.id}`)).status).toBe(200);
  });
});

describe('B17 a gate', () => {
  it('lets nothing through beside the teaser', async () => {
    const group = await world.group({ name: 'Inner circle', visibility: 'hidden' });
    const hidden = 'undisclosed';
    const { id } = await world.content({
      title: 'Gated',
      visibility: 'members',
      description: `<p>${'Shown. '.repeat(30)}</p><p>${hidden}</p>`,
      GroupIds: [group.id],
      video: `https://example.org/${hidden}.mp4`,
      contentURI: `https://example.org/${hidden}.pdf`,
      options: { [hidden]: hidden },
    });
    await world.comment(id, { message: hidden }, 'creator');
    await inCollection(id);
    for (const client of [world.as('premium'), world.anonymous(), world.as('admin', 'B')]) {
      const answers = [
        await client.get(`/api/content/${id}/access`),
        await client.get(`/api/content/search?q=gated&PlatformId=${world.platformId()}`),
        await client.get(`/api/collection/${world.platformId()}`),
        await client.get(`/api/content/${id}/reactions`),
        await client.get(`/api/chat?contentId=${id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404]);
      for (const { text } of answers) expect(text).not.toMatch(/undisclosed|inner circle/i);
      expect(answers[1]?.body.items.map((one: { id: number }) => one.id)).toEqual([id]);
      expect(await found(hidden, client)).toEqual([]);
    }
    expect(await found(hidden, world.as('creator'))).toEqual([id]);
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

describe('K items in collections', () => {
  it('leave at once when they are deleted, and are not put in again', async () => {
    const { id } = await world.content({ title: 'Leaving' });
    const [collection] = (await inCollection(id)).body;
    expect(await collected(id)).toEqual([id]);
    await world.as('creator').delete(`/api/content/${id}`);
    expect([await collected(id), await collected(id, world.as('admin'))]).toEqual([[], []]);
    expect(await found('leaving', world.as('admin'))).toEqual([]);
    const { status } = await world
      .as('admin')
      .post('/api/collection', { id: collection.id, ContentIds: [id] });
    expect(status).toBe(400);
    const [entry] = await query(
      `select "ActorId" from audit_log where action = 'content.delete' and "targetId" = $1`,
      [`${id}`],
    );
    expect(entry.ActorId).toBe(world.user('creator').id);
  });
});
