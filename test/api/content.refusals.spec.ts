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

describe.each(['GET', 'DELETE'] as const)('%s /api/content/{id} refuses', (method) => {
  it.each(['abc', '1.5', '-1', '1e3', '0x10', '%20', '１'])('the id %s', async (id) => {
    const { status, body } = await world.as('admin').request(method, `/api/content/${id}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['0', '2147483647', '2147483648', '99999999999999999999'])(
    'the id %s, which nothing has',
    async (id) => {
      expect(refusal(await world.as('admin').request(method, `/api/content/${id}`))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    },
  );

  it('B1 the anonymous, the unverified and those of elsewhere', async () => {
    const { id } = await world.content();
    expect(refusal(await world.anonymous().request(method, `/api/content/${id}`))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect(refusal(await world.as('pending').request(method, `/api/content/${id}`))).toEqual([
      401,
      'EMAIL_NOT_VERIFIED',
    ]);
    expect(refusal(await world.as('admin', 'B').request(method, `/api/content/${id}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
});

describe('DELETE /api/content/{id} refuses', () => {
  it('all but the author and admins, and the banned', async () => {
    const [open, secret] = [await world.content(), await world.content({ visibility: 'private' })];
    expect(refusal(await world.as('free').delete(`/api/content/${open.id}`))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await world.as('otherCreator').delete(`/api/content/${open.id}`))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await world.as('free').delete(`/api/content/${secret.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await world.as('banned').delete(`/api/content/${open.id}`))).toEqual([403, 'BANNED']);
    expect((await world.as('free').get(`/api/content/${open.id}`)).status).toBe(200);
  });
});

describe('GET /api/content/{id}/access refuses', () => {
  it.each([
    ['abc', 400],
    ['1.5', 400],
    ['0', 404],
    ['2147483647', 404],
    ['2147483648', 404],
  ])('the id %s', async (id, status) => {
    expect((await world.as('admin').get(`/api/content/${id}/access`)).status).toBe(status);
  });

  it.each(['abc', '0', '-1', '1.5', '2147483648', '', '1&userId=2'])('the user %j', async (userId) => {
    const { id } = await world.content();
    const { status, body } = await world.as('admin').get(`/api/content/${id}/access?userId=${userId}`);
    expect([status, body.error.details[0].field]).toEqual([400, 'userId']);
  });

  it('to name another user to all but staff of its platform, whether or not the item is there', async () => {
    const [open, secret] = [await world.content(), await world.content({ visibility: 'private' })];
    const path = (id: number, userId = world.user('basic').id): string =>
      `/api/content/${id}/access?userId=${userId}`;
    for (const client of [world.as('free'), world.as('banned'), world.as('pending'), world.anonymous()]) {
      for (const id of [open.id, secret.id, 2_147_483_647]) {
        expect(refusal(await client.get(path(id)))).toEqual([403, 'ROLE_FORBIDDEN']);
      }
    }
    const elsewhere = world.as('admin', 'B');
    expect(refusal(await elsewhere.get(path(open.id)))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await elsewhere.get(path(open.id, world.user('free', 'B').id)))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await elsewhere.get(path(secret.id)))).toEqual([404, 'NOT_FOUND']);
  });

  it('users of another platform, and deleted ones', async () => {
    const { id } = await world.content();
    for (const userId of [world.user('free', 'B').id, 2_147_483_647]) {
      const answer = await world.as('creator').get(`/api/content/${id}/access?userId=${userId}`);
      expect(refusal(answer)).toEqual([404, 'NOT_FOUND']);
    }
    const { id: userId } = world.user('otherFree');
    await test.db.dataSource.query(`update users set "deletedAt" = now() where id = $1`, [userId]);
    const gone = await world.as('admin').get(`/api/content/${id}/access?userId=${userId}`);
    expect(refusal(gone)).toEqual([404, 'NOT_FOUND']);
    const named = await world.as('admin').post('/api/content', { id, UserId: userId });
    expect([named.status, named.body.error?.details]).toEqual([
      400,
      [{ field: 'UserId', issue: `unknown id ${userId}` }],
    ]);
    await test.db.dataSource.query(`update users set "deletedAt" = null where id = $1`, [userId]);
  });

  it('a token that is none, and items that are hidden from the viewer', async () => {
    const { id } = await world.content();
    const client = test.client({ authorization: 'Bearer none' });
    expect(refusal(await client.get(`/api/content/${id}/access`))).toEqual([401, 'UNAUTHORIZED']);
    const { id: secret } = await world.content({ visibility: 'private' });
    expect(refusal(await world.as('free').get(`/api/content/${secret}/access`))).toEqual([404, 'NOT_FOUND']);
    await world.as('creator').delete(`/api/content/${id}`);
    expect(refusal(await world.as('admin').get(`/api/content/${id}/access`))).toEqual([404, 'NOT_FOUND']);
  });
});
