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

describe('GET /api/keywords refuses', () => {
  it('the anonymous who name no platform', async () => {
    for (const client of [world.anonymous(), world.as('pending')]) {
      const { status, body } = await client.get('/api/keywords');
      expect([status, body.error.code, body.error.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ field: 'PlatformId', issue: expect.any(String) }],
      ]);
    }
  });

  it.each(['abc', '0', '-1', '1.5', '2147483648', '', '1&PlatformId=2'])('the platform %j', async (value) => {
    const { status, body } = await world.as('free').get(`/api/keywords?PlatformId=${value}`);
    expect([status, body.error.details[0].field]).toEqual([400, 'PlatformId']);
  });

  it('a token that is none', async () => {
    const client = test.client({ authorization: 'Bearer none' });
    expect(refusal(await client.get(`/api/keywords?PlatformId=${world.platformId()}`))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
  });
});

describe('DELETE /api/keyword/{id} refuses', () => {
  it('all but admins, and keeps it', async () => {
    const [keyword] = (await world.as('creator').post('/api/keyword', { title: 'Kept' })).body;
    const path = `/api/keyword/${keyword.id}`;
    for (const person of ['creator', 'premium', 'banned'] as const) {
      expect(refusal(await world.as(person).delete(path))).toEqual([403, 'ROLE_FORBIDDEN']);
    }
    expect(refusal(await world.anonymous().delete(path))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').delete(path))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    expect(refusal(await world.as('admin', 'B').delete(path))).toEqual([404, 'NOT_FOUND']);
    expect((await world.as('free').get('/api/keywords')).body).toEqual([keyword]);
  });

  it.each([
    ['abc', 400, 'VALIDATION_ERROR'],
    ['1.5', 400, 'VALIDATION_ERROR'],
    ['-1', 400, 'VALIDATION_ERROR'],
    ['0', 404, 'NOT_FOUND'],
    ['2147483647', 404, 'NOT_FOUND'],
    ['2147483648', 404, 'NOT_FOUND'],
  ])('the id %s', async (id, status, code) => {
    expect(refusal(await world.as('admin').delete(`/api/keyword/${id}`))).toEqual([status, code]);
  });
});
