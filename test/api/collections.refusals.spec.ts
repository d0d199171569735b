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
const all = (): Promise<unknown> =>
  test.db.dataSource.query(
    `select l.*, array(select "ContentId" from collection_contents c where c."CollectionId" = l.id order by position) as held from collections l order by id`,
  );

describe('POST /api/collection refuses', () => {
  it('who may not write', async () => {
    const dto = { name: 'No' };
    expect(refusal(await world.anonymous().post('/api/collection', dto))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').post('/api/collection', dto))).toEqual([
      401,
      'EMAIL_NOT_VERIFIED',
    ]);
    for (const person of ['free', 'basic', 'premium', 'banned'] as const) {
      expect(refusal(await world.as(person).post('/api/collection', dto))).toEqual([403, 'ROLE_FORBIDDEN']);
    }
    expect(await all()).toEqual([]);
  });

  it('other platforms, other authors and what there is not: 403', async () => {
    const own = (await world.as('creator').post('/api/collection', { name: 'Own' })).body[0];
    const foreign = (await world.as('creator', 'B').post('/api/collection', { name: 'Foreign' })).body[0];
    const before = await all();
    const name = 'Mine now';
    expect(
      refusal(await world.as('admin').post('/api/collection', { name, PlatformId: world.platformId('B') })),
    ).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await world.as('admin').post('/api/collection', { id: foreign.id, name }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await world.as('otherCreator').post('/api/collection', { id: own.id, name }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await world.as('admin').post('/api/collection', { id: 2_147_483_647, name }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(
      refusal(await world.as('creator').post('/api/collection', { name, UserId: world.user('admin').id })),
    ).toEqual([403, 'FORBIDDEN']);
    expect(await all()).toEqual(before);
  });

  it('foreign contents, groups and owners, all of them named, and saves nothing', async () => {
    const [content, foreign] = [await world.content(), await world.content({}, 'B')];
    const group = await world.group({}, 'B');
    const own = (await world.as('creator').post('/api/collection', { name: 'Own', ContentIds: [content.id] }))
      .body[0];
    const before = await all();
    for (const target of [{ name: 'New' }, { id: own.id, name: 'Changed' }]) {
      const { status, body } = await world.as('creator').post('/api/collection', {
        ...target,
        ContentIds: [content.id, foreign.id, 2_147_483_647],
        GroupIds: [group.id],
      });
      expect([status, body.error.details]).toEqual([
        400,
        [
          { field: 'GroupIds', issue: `unknown id ${group.id}` },
          { field: 'ContentIds', issue: `unknown id ${foreign.id}` },
          { field: 'ContentIds', issue: 'unknown id 2147483647' },
        ],
      ]);
    }
    const owner = await world
      .as('admin')
      .post('/api/collection', { id: own.id, UserId: world.user('free', 'B').id });
    expect([owner.status, owner.body.error.details[0].field]).toEqual([400, 'UserId']);
    expect(await all()).toEqual(before);
  });

  it.each([
    { name: undefined },
    { name: '' },
    { name: ' ' },
    { name: null },
    { name: 'x'.repeat(301) },
    { name: 'nul \0' },
    { slug: 'Not A Slug' },
    { slug: '' },
    { slug: 'x'.repeat(121) },
    { description: 'ä'.repeat(102_401) },
    { position: -1 },
    { position: 1.5 },
    { position: 2_147_483_648 },
    { position: '1' },
    { collectionBGImage: 'javascript:alert(1)' },
    { collectionBGImage: 'http://127.0.0.1/a.png' },
    { publishedDate: '2026-02-30' },
    { expireDate: 'never' },
    { collectionType: '' },
    { sortPreference: 7 },
    { showOnHomepage: 'true' },
    { PlatformId: '1' },
    { PlatformId: 2_147_483_648 },
    { UserId: 0 },
    { GroupIds: {} },
    { ContentIds: [-1] },
    { ContentIds: Array.from({ length: 501 }, (_, index) => index + 1) },
    { id: 2_147_483_648 },
  ])('%j', async (values) => {
    const { status, body } = await world.as('admin').post('/api/collection', { name: 'C', ...values });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    for (const detail of body.error.details) expect(detail.field).toBe(Object.keys(values)[0]);
  });

  it('a slug that is taken, and an end before the beginning', async () => {
    const own = (
      await world
        .as('creator')
        .post('/api/collection', { name: 'One', slug: 'one-slug', publishedDate: '2026-05-05' })
    ).body[0];
    const taken = await world.as('creator').post('/api/collection', { name: 'Two', slug: 'one-slug' });
    expect([taken.status, taken.body.error.details]).toEqual([400, [{ field: 'slug', issue: 'taken' }]]);
    const reversed = await world
      .as('creator')
      .post('/api/collection', { id: own.id, expireDate: '2026-05-04' });
    expect([reversed.status, reversed.body.error.details[0].field]).toEqual([400, 'expireDate']);
  });
});

describe('GET /api/collection/{PlatformId} refuses', () => {
  it.each(['abc', '1.5', '-1', '1e3', '%31x'])('/%s', async (id) => {
    expect(refusal(await world.anonymous().get(`/api/collection/${id}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a number that no platform has', async () => {
    expect(refusal(await world.anonymous().get('/api/collection/2147483648'))).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'contentLimit=0',
    'contentLimit=501',
    'contentLimit=1&contentLimit=2',
    'showHidden=true&showHidden=false',
  ])('?%s', async (query) => {
    const { status, body } = await world.anonymous().get(`/api/collection/1?${query}`);
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: query.split('=')[0], issue: expect.any(String) }],
    ]);
  });
});

describe('reading refuses', () => {
  it('who must sign in, and whom the dashboard is not for', async () => {
    for (const path of ['/api/collection-by-id/1', '/api/admin/collections', '/api/collection-options']) {
      expect(refusal(await world.anonymous().get(path))).toEqual([401, 'UNAUTHORIZED']);
      expect(refusal(await world.as('pending').get(path))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
      expect(refusal(await test.client({ authorization: 'Bearer x' }).get(path))).toEqual([
        401,
        'UNAUTHORIZED',
      ]);
    }
    for (const person of ['free', 'basic', 'premium', 'banned'] as const) {
      for (const path of ['/api/admin/collections', '/api/collection-options']) {
        expect(refusal(await world.as(person).get(path))).toEqual([403, 'ROLE_FORBIDDEN']);
      }
    }
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'limit=1.5', 'limit=-1', 'limit=', 'limit=1&limit=2'])(
    'by slug ?%s',
    async (query) => {
      const { status, body } = await world.anonymous().get(`/api/collection-by-slug/any/1?${query}`);
      expect([status, body.error.details[0].field]).toEqual([400, 'limit']);
    },
  );

  it('by slug what there is not, with a body of its own', async () => {
    for (const path of ['never-was/1', 'never-was/2147483647', 'never-was/2147483648', 'Not%20A%20Slug/1']) {
      const { status, body } = await world.anonymous().get(`/api/collection-by-slug/${path}`);
      expect([path, status, body]).toEqual([path, 404, { message: expect.any(String) }]);
    }
    const noNumber = await world.anonymous().get('/api/collection-by-slug/any/x');
    expect(refusal(noNumber)).toEqual([400, 'VALIDATION_ERROR']);
    expect(noNumber.body.error.details).toEqual([{ field: 'PlatformId', issue: 'must be an integer' }]);
    expect(refusal(await world.anonymous().get('/api/collection-by-slug/nul%00/1'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('by id what there is not', async () => {
    const foreign = (await world.as('creator', 'B').post('/api/collection', { name: 'Far' })).body[0];
    for (const id of [foreign.id, 2_147_483_647, 2_147_483_648, 0]) {
      expect(refusal(await world.as('admin').get(`/api/collection-by-id/${id}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect(refusal(await world.as('admin').get('/api/collection-by-id/abc'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    for (const showFuture of ['1', 'yes', '', 'TRUE']) {
      const { status, body } = await world
        .as('admin')
        .get(`/api/collection-by-id/${foreign.id}?showFuture=${showFuture}`);
      expect([status, body.error.details[0].field]).toEqual([400, 'showFuture']);
    }
  });

  it.each(['abc/public', '1.5/public', 'public/abc', 'public/-1'])('/api/collection/%s', async (path) => {
    expect(refusal(await world.anonymous().get(`/api/collection/${path}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('POST /api/collections/reorder refuses', () => {
  const reorder = (body: unknown, person: 'creator' | 'free' = 'creator') =>
    world.as(person).post('/api/collections/reorder', body);

  it('who may not', async () => {
    expect(refusal(await world.anonymous().post('/api/collections/reorder', {}))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect(refusal(await reorder({}, 'free'))).toEqual([403, 'ROLE_FORBIDDEN']);
  });

  it.each([
    {},
    { collectionIds: [] },
    { collectionIds: null },
    { collectionIds: '1,2' },
    { collectionIds: [1, 1] },
    { collectionIds: [1.5] },
    { collectionIds: ['1'] },
    { collectionIds: [0] },
    { collectionIds: [2_147_483_648] },
    { collectionIds: Array.from({ length: 501 }, (_, index) => index + 1) },
  ])('%j', async (sent) => {
    const { status, body } = await reorder(sent);
    expect([status, body.error.code, body.error.details[0].field]).toEqual([
      400,
      'VALIDATION_ERROR',
      'collectionIds',
    ]);
  });
});

describe('DELETE /api/collection-by-id/{id} refuses', () => {
  it('all but its owner and admins, and to whom it is not shown it does not exist', async () => {
    const open = (await world.as('creator').post('/api/collection', { name: 'Stays' })).body[0].id;
    const later = (
      await world.as('creator').post('/api/collection', { name: 'Stays', publishedDate: '2999-01-01' })
    ).body[0].id;
    const before = await all();
    const remove = async (person: Parameters<World['as']>[0], id: number | string, platform?: 'B') =>
      refusal(await world.as(person, platform).delete(`/api/collection-by-id/${id}`));
    expect(refusal(await world.anonymous().delete(`/api/collection-by-id/${open}`))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect(await remove('pending', open)).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    expect(await remove('banned', open)).toEqual([403, 'BANNED']);
    for (const person of ['free', 'premium', 'otherCreator'] as const) {
      expect(await remove(person, open)).toEqual([403, 'FORBIDDEN']);
    }
    expect(await remove('free', later)).toEqual([404, 'NOT_FOUND']);
    expect(await remove('otherCreator', later)).toEqual([403, 'FORBIDDEN']);
    expect(await remove('admin', open, 'B')).toEqual([404, 'NOT_FOUND']);
    expect(await remove('admin', 2_147_483_647)).toEqual([404, 'NOT_FOUND']);
    expect(await remove('admin', 'abc')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await all()).toEqual(before);
  });
});
