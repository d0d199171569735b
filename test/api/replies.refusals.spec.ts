import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

describe('GET /api/replies refuses', () => {
  it.each([
    '',
    'commentId=',
    'commentId=x',
    'commentId=0',
    'commentId=2147483648',
    'commentId=1.5',
    'commentId=1&commentId=1',
  ])('?%s', async (query) => {
    const { status, body } = await world.as('admin').get(`/api/replies?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'commentId' }] });
  });

  it.each([
    'itemsPerPage=0',
    'itemsPerPage=x',
    'currentPage=0',
    'currentPage=1e3',
    'sort=createdAt',
    'sort=id:asc',
  ])('&%s', async (query) => {
    const { status, body } = await world.anonymous().get(`/api/replies?commentId=1&${query}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: query.split('=')[0], issue: expect.any(String) }]);
  });

  it('a comment that is not there, flagged or waiting', async () => {
    const content = await world.content();
    const [flagged, waiting] = [await world.comment(content.id), await world.comment(content.id)];
    await test.db.dataSource.query(`update comments set "moderationCategory" = 'Spam' where id = $1`, [
      flagged.id,
    ]);
    await test.db.dataSource.query(`update comments set "awaitsApproval" = true where id = $1`, [waiting.id]);
    for (const id of [2_147_483_647, flagged.id, waiting.id]) {
      const { status, body } = await world.as('admin').get(`/api/replies?commentId=${id}`);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
