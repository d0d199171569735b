import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let id: number;
let secret: number;
let foreign: number;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  id = (await world.as('creator').post('/api/group', { name: 'Known', slug: 'known' })).body[0].id;
  secret = (await world.group({ name: 'Secret', slug: 'secret', visibility: 'private' })).id;
  foreign = (await world.group({ name: 'Theirs', slug: 'theirs', visibility: 'public' }, 'B')).id;
});
afterAll(() => test.stop());

const codeOf = ({ status, body }: { status: number; body: any }): [number, string] => [
  status,
  body.error.code,
];

describe('adding and editing groups', () => {
  it.each<[Person | null, number, string]>([
    [null, 401, 'UNAUTHORIZED'],
    ['pending', 401, 'EMAIL_NOT_VERIFIED'],
    ['free', 403, 'ROLE_FORBIDDEN'],
    ['premium', 403, 'ROLE_FORBIDDEN'],
    ['banned', 403, 'ROLE_FORBIDDEN'],
  ])('is not for %s, whatever is sent', async (person, status, code) => {
    const client = person ? world.as(person) : world.anonymous();
    expect(codeOf(await client.post('/api/group', { name: 'New' }))).toEqual([status, code]);
    expect(codeOf(await client.post('/api/group', { id, visibility: 'nonsense' }))).toEqual([status, code]);
  });

  it('is not for a creator who owns another group, nor across platforms', async () => {
    expect(codeOf(await world.as('otherCreator').post('/api/group', { id, name: 'Taken over' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(codeOf(await world.as('admin').post('/api/group', { id: foreign, name: 'X' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await world.as('admin').get(`/api/group/${id}`)).body.name).toBe('Known');
  });

  it.each<[string, object, string]>([
    ['no name', {}, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['a taken slug', { name: 'Known again', slug: 'known' }, 'slug'],
    ['a slug that is no slug', { name: 'N', slug: 'Not a slug' }, 'slug'],
    ['a javascript: picture', { name: 'N', photoUrl: 'javascript:alert(1)' }, 'photoUrl'],
    ['an unknown visibility', { name: 'N', visibility: 'secret' }, 'visibility'],
    ['an unknown join policy', { name: 'N', joinPolicy: null }, 'joinPolicy'],
    ['a tag that is none', { name: 'N', AccessTagIds: [999_999] }, 'AccessTagIds'],
  ])('refuses %s', async (_, sent, field) => {
    const { status, body } = await world.as('admin').post('/api/group', sent);
    expect(codeOf({ status, body })).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.map((one: any) => one.field)).toEqual([field]);
  });

  it('refuses tags of another platform and saves nothing', async () => {
    const { body } = await world.as('admin', 'B').post('/api/access-tag', { title: 'Theirs' });
    const answer = await world
      .as('creator')
      .post('/api/group', { id, name: 'Changed', AccessTagIds: [body.id] });
    expect(answer.body.error.details).toEqual([{ field: 'AccessTagIds', issue: `unknown id ${body.id}` }]);
    expect((await world.as('creator').get(`/api/group/${id}`)).body).toMatchObject({
      name: 'Known',
      AccessTagIds: [],
    });
  });
});

describe('reading groups', () => {
  it('tells nothing of groups that the caller may not know of', async () => {
    const missing = await world.as('free').get('/api/group/999999');
    for (const path of [
      `/api/group/${secret}`,
      `/api/group/${foreign}`,
      `/api/group-by-slug/secret/${world.platformId()}`,
      `/api/group-by-slug/known/${world.platformId('B')}`,
      `/api/group-by-slug/known/999999`,
      `/api/group-by-slug/%27%20or%201%3D1/${world.platformId()}`,
    ]) {
      const { status, body } = await world.as('free').get(path);
      expect(status).toBe(404);
      expect({ ...body.error, requestId: '' }).toEqual({ ...missing.body.error, requestId: '' });
    }
    expect(codeOf(await world.anonymous().get(`/api/group/${id}`))).toEqual([401, 'UNAUTHORIZED']);
    expect((await world.anonymous().get(`/api/group-by-slug/known/${world.platformId()}`)).status).toBe(404);
    expect((await world.anonymous().get(`/api/group-by-slug/known/x`)).status).toBe(400);
  });

  it('refuses a token that is none, on optional routes too', async () => {
    const { status } = await test
      .client({ authorization: 'Bearer x' })
      .get(`/api/groups?PlatformId=${world.platformId()}`);
    expect(status).toBe(401);
  });

  it.each([
    'sort=password:asc',
    'sort=name:desc;select',
    'filters=UserId:1',
    'filters=mine:maybe',
    'filters=%7B%22visibility%22',
    'filters=mine:true&filters=mine:false',
    'PlatformId=one',
    'PlatformId=0',
    'itemsPerPage=-1',
    'itemsPerPage=1.5',
    'currentPage=0',
    `searchTerm=${'x'.repeat(201)}`,
  ])('refuses the list with %s', async (query) => {
    expect(codeOf(await world.as('free').get(`/api/groups?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('needs to know the platform', async () => {
    const { status, body } = await world.anonymous().get('/api/groups');
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'PlatformId', issue: 'is required without a token' }]);
    const { body: none } = await world.anonymous().get('/api/groups?PlatformId=999999');
    expect(none).toMatchObject({ items: [], totalItems: 0, totalPages: 0 });
  });

  it('keeps the options from members', async () => {
    expect(codeOf(await world.as('premium').get('/api/group-options'))).toEqual([403, 'ROLE_FORBIDDEN']);
    expect(codeOf(await world.anonymous().get('/api/group-options'))).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('reordering groups', () => {
  it.each<[string, (mine: number) => unknown, number]>([
    ['no ids', () => ({}), 400],
    ['an empty list', () => ({ groupIds: [] }), 400],
    ['an id twice', (mine) => ({ groupIds: [mine, mine] }), 400],
    ['an id that is none', (mine) => ({ groupIds: [mine, 999_999] }), 404],
    ['a group of another platform', (mine) => ({ groupIds: [foreign, mine] }), 404],
  ])('refuses %s and moves nothing', async (_, sent, status) => {
    const before = await world.as('admin').get('/api/group-options');
    expect((await world.as('admin').post('/api/groups/reorder', sent(secret))).status).toBe(status);
    expect((await world.as('admin').get('/api/group-options')).body).toEqual(before.body);
  });

  it('is not for members', async () => {
    expect(codeOf(await world.as('free').post('/api/groups/reorder', { groupIds: [id] }))).toEqual([
      403,
      'ROLE_FORBIDDEN',
    ]);
  });
});

describe('deleting groups', () => {
  it('is for owners and admins of the platform', async () => {
    await world.as('creator').post(`/api/group/${id}/members`, {
      userIds: [world.user('premium').id],
      role: 'moderator',
    });
    for (const person of ['free', 'premium', 'otherCreator'] as const) {
      expect(codeOf(await world.as(person).delete(`/api/group/${id}`))).toEqual([403, 'FORBIDDEN']);
    }
    expect(codeOf(await world.as('free').delete(`/api/group/${secret}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await world.as('admin', 'B').delete(`/api/group/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await world.anonymous().delete(`/api/group/${id}`))).toEqual([401, 'UNAUTHORIZED']);
    expect((await world.as('free').get(`/api/group/${id}`)).status).toBe(200);
  });
});
