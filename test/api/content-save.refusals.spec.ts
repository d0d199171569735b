import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const refusal = ({ status, body }: { status: number; body: any }): unknown => [status, body.error?.code];
const countOf = async (): Promise<number> =>
  (await test.db.dataSource.query('select count(*)::int as count from contents'))[0].count;

describe('POST /api/content refuses', () => {
  it('who may not write', async () => {
    const dto = { title: 'No', type: 'article' };
    expect(refusal(await world.anonymous().post('/api/content', dto))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').post('/api/content', dto))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    expect(refusal(await world.as('banned').post('/api/content', { ...dto, type: 'post' }))).toEqual([
      403,
      'BANNED',
    ]);
    for (const type of ['article', 'video']) {
      expect(refusal(await world.as('premium').post('/api/content', { ...dto, type }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
    }
  });

  it.each([
    { title: '' },
    { title: '   ' },
    { title: 'x'.repeat(301) },
    { title: null },
    { title: 1 },
    { title: 'nul \0' },
    { title: 'half \udc00' },
    { type: 'podcast' },
    { type: undefined },
    { title: undefined },
    { visibility: 'secret' },
    { slug: 'Not a slug' },
    { slug: '' },
    { slug: 'x'.repeat(81) },
    { description: null },
    { description: 'x'.repeat(200 * 1024 + 1) },
    { description: 'é'.repeat(100 * 1024 + 1) },
    { GroupIds: 1 },
    { GroupIds: null },
    { GroupIds: [0] },
    { GroupIds: [2_147_483_648] },
    { GroupIds: ['1'] },
    { GroupIds: [null] },
    { KeywordIds: Array.from({ length: 501 }, (_, index) => index + 1) },
    { AccessTagIds: [1.5] },
    { requiredRole: 'admin' },
    { requiredRole: '' },
    { chatEnabled: 'yes' },
    { featured: null },
    { options: [] },
    { options: 'text' },
    { options: { text: 'x'.repeat(32 * 1024) } },
    { options: { 'nul \0': 1 } },
    { options: { deep: { 'half \ud800': 1 } } },
    { options: { deep: ['nul \0'] } },
    { publishedDate: '2026-02-30' },
    { publishedDate: '2026-02-30T10:00:00Z' },
    { publishedDate: '2025-02-29' },
    { publishedDate: '2026-01-01T25:00:00Z' },
    { publishedDate: '2026-01-01T10:00:60Z' },
    { publishedDate: '2026-13-01' },
    { publishedDate: '01/02/2026' },
    { publishedDate: '2026' },
    { publishedDate: '2026-W01-1' },
    { publishedDate: 1_767_225_600_000 },
    { publishedDate: 'tomorrow' },
    { publishedDate: '' },
    { expireDate: '2026-02-30' },
    { expireDate: '9999-12-31T23:59:59-01:00' },
    { UserId: 0 },
    { id: '1' },
    { id: 2_147_483_648 },
    { id: 1.5 },
    { id: -1 },
  ])('%j', async (values) => {
    const before = await countOf();
    const { status, body } = await world
      .as('creator')
      .post('/api/content', { title: 'T', type: 'article', ...values });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', requestId: expect.any(String) });
    const [field = ''] = Object.keys(values);
    for (const detail of body.error.details) expect(detail.field.startsWith(field)).toBe(true);
    expect(await countOf()).toBe(before);
  });

  it.each(['1e400', '-1e400', '9'.repeat(400)])('B11 the number %s', async (number) => {
    const { status, body } = await world
      .as('creator')
      .post('/api/content', `{"title":"T","type":"article","GroupIds":[${number}]}`);
    expect([status, body.error.details[0].field]).toEqual([400, 'GroupIds.0']);
  });

  it('B8 options that would reach a prototype', async () => {
    const { status } = await world
      .as('creator')
      .post('/api/content', '{"title":"T","type":"article","options":{"__proto__":{"a":1}}}');
    expect(status).toBe(400);
  });

  const PRIVATE = [
    'http://localhost/a',
    'http://localhost./a',
    'http://app.localhost/a',
    'http://LOCALHOST:8080/a',
    'http://127.0.0.1/a',
    'http://127.1/a',
    'http://127.0.0.1./a',
    'http://2130706433/a',
    'http://0x7f000001/a',
    'http://0177.0.0.1/a',
    'http://0/a',
    'http://0.0.0.0/a',
    'http://10.1.2.3/a',
    'http://172.16.0.1/a',
    'http://192.168.1.1/a',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/a',
    'http://[::1]/a',
    'http://[::]/a',
    'http://[::ffff:127.0.0.1]/a',
    'http://[::ffff:7f00:1]/a',
    'http://[::127.0.0.1]/a',
    'http://[fe80::1]/a',
    'http://[fd00::1]/a',
    'http://[64:ff9b::7f00:1]/a',
  ];
  const NO_WEB_URL = [
    'ftp://example.org/a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//example.org/a',
    '/a',
    'https://',
    '',
    'https://user:pass@example.org/',
    `https://example.org/${'a'.repeat(2048)}`,
    7,
  ];
  it.each([...PRIVATE, ...NO_WEB_URL])('B12 the URL %s', async (url) => {
    for (const field of ['video', 'featuredImage', 'contentURI']) {
      const { status, body } = await world
        .as('creator')
        .post('/api/content', { title: 'T', type: 'video', [field]: url });
      expect([field, status, body.error?.details]).toEqual([
        field,
        400,
        [{ field, issue: expect.any(String) }],
      ]);
    }
  });

  it.each([
    'https://example.org/a?b=c#d',
    'http://8.8.8.8/a',
    'https://[2606:4700::1111]/a',
    'https://localhost.example.org/',
    'https://bücher.example/ü',
  ])('not the URL %s', async (url) => {
    expect((await world.content({ video: url })).video).toBe(url);
  });

  it('an end before the beginning, stored or sent', async () => {
    const dates = { publishedDate: '2026-01-02T00:00:00Z', expireDate: '2026-01-01T23:59:59.999Z' };
    const refused = [{ field: 'expireDate', issue: expect.any(String) }];
    const both = await world.as('creator').post('/api/content', { title: 'T', type: 'article', ...dates });
    expect([both.status, both.body.error.details]).toEqual([400, refused]);
    const { id } = await world.content({
      publishedDate: dates.publishedDate,
      expireDate: dates.publishedDate,
    });
    const later = await world.as('creator').post('/api/content', { id, expireDate: dates.expireDate });
    expect([later.status, later.body.error.details]).toEqual([400, refused]);
    expect(
      (
        await world
          .as('creator')
          .post('/api/content', { id, expireDate: dates.expireDate, publishedDate: null })
      ).status,
    ).toBe(200);
  });

  it('B6 records of another platform, all of them named, and saves nothing', async () => {
    const [group, foreignGroup] = [await world.group(), await world.group({}, 'B')];
    const [tag] = await test.db.dataSource.query(
      `insert into access_tags ("PlatformId", title) values ($1, 'foreign') returning id`,
      [world.platformId('B')],
    );
    const [keyword] = (await world.as('creator', 'B').post('/api/keyword', { title: 'Foreign' })).body;
    const gate = {
      GroupIds: [group.id, foreignGroup.id, 2_147_483_647],
      AccessTagIds: [tag.id],
      KeywordIds: [keyword.id],
    };
    const details = [
      { field: 'GroupIds', issue: `unknown id ${foreignGroup.id}` },
      { field: 'GroupIds', issue: 'unknown id 2147483647' },
      { field: 'AccessTagIds', issue: `unknown id ${tag.id}` },
      { field: 'KeywordIds', issue: `unknown id ${keyword.id}` },
    ];
    const before = await countOf();
    const created = await world.as('creator').post('/api/content', { title: 'T', type: 'article', ...gate });
    expect([created.status, created.body.error.details]).toEqual([400, details]);
    expect(await countOf()).toBe(before);
    const item = await world.content();
    const edited = await world.as('creator').post('/api/content', { id: item.id, title: 'Changed', ...gate });
    expect([edited.status, edited.body.error.details]).toEqual([400, details]);
    expect((await world.as('creator').get(`/api/content/${item.id}`)).body).toEqual(item);
    const author = await world
      .as('admin')
      .post('/api/content', { id: item.id, UserId: world.user('free', 'B').id });
    expect([author.status, author.body.error.details[0].field]).toEqual([400, 'UserId']);
  });

  it('B7 other authors from all but admins', async () => {
    const dto = { title: 'T', type: 'post', UserId: world.user('basic').id };
    expect(refusal(await world.as('creator').post('/api/content', dto))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await world.as('free').post('/api/content', dto))).toEqual([403, 'FORBIDDEN']);
  });

  it.each([
    { visibility: 'public' },
    { visibility: 'private' },
    { visibility: 'hidden' },
    { featured: true },
    { publishedDate: '2026-01-01' },
    { expireDate: '2030-01-01' },
    { slug: 'mine' },
    { options: {} },
    { video: 'https://example.org/a.mp4' },
    { contentURI: 'https://example.org/a.pdf' },
    { AccessTagIds: [1] },
    { requiredRole: 'free' },
  ])('a member’s %j', async (values) => {
    const { status, body } = await world
      .as('premium')
      .post('/api/content', { title: 'T', type: 'post', ...values });
    expect([status, body.error.code]).toEqual([403, 'ROLE_FORBIDDEN']);
    expect(body.error.details).toEqual([{ field: Object.keys(values)[0], issue: expect.any(String) }]);
    const own = (await world.as('premium').post('/api/content', { type: 'post', description: 'Own' }))
      .body[0];
    expect(refusal(await world.as('premium').post('/api/content', { id: own.id, ...values }))).toEqual([
      403,
      'ROLE_FORBIDDEN',
    ]);
  });

  it('a member’s post without words, or turned into an article', async () => {
    const empty = await world
      .as('free')
      .post('/api/content', { type: 'post', description: '<script>x</script>' });
    expect([empty.status, empty.body.error.details]).toEqual([
      400,
      [{ field: 'description', issue: 'must not be empty' }],
    ]);
    const [post] = (await world.as('free').post('/api/content', { type: 'post', description: 'Words' })).body;
    expect(refusal(await world.as('free').post('/api/content', { id: post.id, type: 'article' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });

  it('posts in groups whose policy does not let the member', async () => {
    const groups = {
      open: await world.group({ postPolicy: 'members' }),
      moderated: await world.group({ postPolicy: 'moderators' }),
      archived: await world.group({ archived: true }),
      strange: await world.group(),
    };
    for (const { id } of [groups.open, groups.moderated, groups.archived]) await world.join(id, 'free');
    await world.join(groups.moderated.id, 'basic', 'moderator');
    const post = (person: 'free' | 'basic', id: number): Promise<any> =>
      world.as(person).post('/api/content', { description: `Into ${id}`, type: 'post', GroupIds: [id] });
    expect((await post('free', groups.open.id)).body[0].Groups).toEqual(
      [groups.open].map(({ id, name }) => ({ id, name })),
    );
    expect((await post('basic', groups.moderated.id)).status).toBe(200);
    for (const { id } of [groups.moderated, groups.archived, groups.strange]) {
      const { status, body } = await post('free', id);
      expect([status, body.error.code, body.error.details[0].field]).toEqual([
        403,
        'ROLE_FORBIDDEN',
        'GroupIds',
      ]);
    }
  });

  it('B1 items that are not the caller’s to change: 403 for those they see, 404 for others', async () => {
    const [open, secret, foreign] = [
      await world.content(),
      await world.content({ visibility: 'private' }),
      await world.content({}, 'B'),
    ];
    const edit = (person: 'free' | 'otherCreator' | 'admin', id: number): Promise<any> =>
      world.as(person).post('/api/content', { id, title: 'Mine now' });
    expect(refusal(await edit('free', open.id))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit('otherCreator', open.id))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit('free', secret.id))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await edit('admin', foreign.id))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await edit('admin', 2_147_483_647))).toEqual([404, 'NOT_FOUND']);
    expect((await world.as('creator').get(`/api/content/${open.id}`)).body).toEqual(open);
  });
});
