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

describe('GET /api/chat refuses', () => {
  it.each([
    '',
    'contentId=',
    'contentId=x',
    'contentId=-1',
    'contentId=2147483648',
    'contentId=1&contentId=2',
    'contentId[a]=1',
  ])('?%s', async (query) => {
    const { status, body } = await world.anonymous().get(`/api/chat?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'contentId' }] });
  });

  it.each([
    'itemsPerPage=0',
    'itemsPerPage=99999999999999999999',
    'currentPage=2147483648',
    'currentPage=1&currentPage=2',
    'sort=createdAt:ASC',
    "sort=createdAt:asc'--",
  ])('&%s', async (query) => {
    const { status, body } = await world.anonymous().get(`/api/chat?contentId=1&${query}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: query.split('=')[0], issue: expect.any(String) }]);
  });

  it('content that is not there, whoever asks', async () => {
    expect(refusal(await world.anonymous().get('/api/chat?contentId=2147483647'))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(refusal(await world.as('admin').get('/api/chat?contentId=2147483647'))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('a bad token, although none is needed', async () => {
    const { id } = await world.content();
    const client = test.client({ authorization: 'Bearer nonsense' });
    expect(refusal(await client.get(`/api/chat?contentId=${id}`))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('answers the very last page that can be asked for, empty', async () => {
    const { id } = await world.content();
    const { status, body } = await world
      .anonymous()
      .get(`/api/chat?contentId=${id}&currentPage=2147483647&itemsPerPage=100`);
    expect([status, body.items, body.totalItems]).toEqual([200, [], 0]);
  });
});

describe('POST /api/chat refuses', () => {
  it('who may not write', async () => {
    const { id } = await world.content();
    const dto = { contentId: id, message: 'No' };
    expect(refusal(await world.anonymous().post('/api/chat', dto))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').post('/api/chat', dto))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    expect(refusal(await world.as('banned').post('/api/chat', dto))).toEqual([403, 'BANNED']);
    expect(refusal(await world.as('admin', 'B').post('/api/chat', dto))).toEqual([404, 'NOT_FOUND']);
    const { body } = await world.anonymous().get(`/api/chat?contentId=${id}`);
    expect(body.totalItems).toBe(0);
  });

  const EMPTY = [
    '',
    ' ',
    '<p></p>',
    '<p>&nbsp;</p>',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '\u200b',
  ];
  it.each([
    ...EMPTY.map((message) => ({ message })),
    { message: 'x'.repeat(10_001) },
    { message: null },
    { message: ['a'] },
    { message: { html: 'a' } },
    { message: 'nul \0' },
    { message: 'half \ud800' },
    {},
  ])('the message %j', async (values) => {
    const { id } = await world.content();
    const { status, body } = await world.as('free').post('/api/chat', { contentId: id, ...values });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'message' }] });
  });

  it.each([
    { contentId: '1' },
    { contentId: 0 },
    { contentId: 2_147_483_648 },
    { contentId: 1e300 },
    { contentId: undefined },
    { parentCommentId: 'x' },
    { parentCommentId: 2_147_483_648 },
    { atSeconds: -1 },
    { atSeconds: 1.5 },
    { atSeconds: 604_801 },
  ])('%j', async (values) => {
    const { status, body } = await world
      .as('free')
      .post('/api/chat', { contentId: 1, message: 'Hi', ...values });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: Object.keys(values)[0], issue: expect.any(String) }]);
  });

  it('takes 10,000 characters, emoji counted once', async () => {
    const { id } = await world.content();
    const { status, body } = await world
      .as('free')
      .post('/api/chat', { contentId: id, message: '🌊'.repeat(10_000) });
    expect(status).toBe(200);
    expect([...body[0].messagePlain]).toHaveLength(10_000);
  });

  it('where comments are closed, new ones and edits alike', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id);
    await world.as('creator').post('/api/content', { id, chatEnabled: false });
    expect(refusal(await world.as('free').post('/api/chat', { contentId: id, message: 'No' }))).toEqual([
      403,
      'CHAT_DISABLED',
    ]);
    expect(refusal(await world.as('admin').post('/api/chat', { contentId: id, message: 'No' }))).toEqual([
      403,
      'CHAT_DISABLED',
    ]);
    expect(refusal(await world.as('free').post('/api/chat', { id: comment.id, message: 'No' }))).toEqual([
      403,
      'CHAT_DISABLED',
    ]);
  });

  it('an answer to a comment of other content, deleted, held or elsewhere', async () => {
    const [content, other] = [await world.content(), await world.content()];
    const foreign = await world.content({}, 'B');
    const parents = [
      await world.comment(other.id),
      await world.comment(content.id),
      await world.comment(content.id),
      await world.comment(content.id),
      await world.comment(foreign.id, {}, 'free', 'B'),
      { id: 2_147_483_647 },
    ];
    const [, deleted, flagged, waiting] = parents;
    await test.db.dataSource.query(`update comments set "deletedAt" = now() where id = $1`, [deleted?.id]);
    await test.db.dataSource.query(`update comments set "moderationCategory" = 'Profanity' where id = $1`, [
      flagged?.id,
    ]);
    await test.db.dataSource.query(`update comments set "awaitsApproval" = true where id = $1`, [
      waiting?.id,
    ]);
    for (const { id } of parents) {
      const { status, body } = await world
        .as('free')
        .post('/api/chat', { contentId: content.id, message: 'Re', parentCommentId: id });
      expect(status).toBe(400);
      expect(body.error.details).toEqual([{ field: 'parentCommentId', issue: expect.any(String) }]);
    }
  });

  it('edits of others, of deleted ones, elsewhere, and moves', async () => {
    const [content, other] = [await world.content(), await world.content()];
    const comment = await world.comment(content.id);
    const sibling = await world.comment(content.id);
    const edit = (
      values: object,
      person: 'free' | 'admin' | 'otherFree' = 'free',
      platform: 'A' | 'B' = 'A',
    ) => world.as(person, platform).post('/api/chat', { id: comment.id, message: 'Changed', ...values });
    expect(refusal(await edit({}, 'otherFree'))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit({}, 'admin'))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit({}, 'free', 'B'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await edit({ id: 2_147_483_647 }))).toEqual([404, 'NOT_FOUND']);
    expect((await edit({ contentId: other.id })).body.error.details).toEqual([
      { field: 'contentId', issue: 'cannot change' },
    ]);
    expect((await edit({ parentCommentId: sibling.id })).body.error.details).toEqual([
      { field: 'parentCommentId', issue: 'cannot change' },
    ]);
    await test.db.dataSource.query(`update comments set "deletedAt" = now() where id = $1`, [sibling.id]);
    expect(refusal(await edit({ id: sibling.id }))).toEqual([403, 'FORBIDDEN']);
    await world.as('creator').post('/api/content', { id: content.id, visibility: 'private' });
    expect(refusal(await edit({}))).toEqual([404, 'NOT_FOUND']);
    const [{ message }] = await test.db.dataSource.query(`select message from comments where id = $1`, [
      comment.id,
    ]);
    expect(message).toMatch(/^<p>Said/);
  });
});
