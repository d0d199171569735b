import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let id: number;
let foreign: number;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  id = (await world.as('admin').post('/api/access-tag', { title: 'A tag' })).body.id;
  foreign = (await world.as('admin', 'B').post('/api/access-tag', { title: 'Theirs' })).body.id;
});
afterAll(() => test.stop());

const count = async (): Promise<number> =>
  (await test.db.dataSource.query('select count(*)::int as n from access_tags'))[0].n;

describe('POST /api/access-tag', () => {
  it.each(['/api/access-tag', '/api/user-tag'])('G1 refuses %s without a token', async (path) => {
    const before = await count();
    const { status, body } = await world.anonymous().post(path, { title: 'Anonymous' });
    expect(status).toBe(401);
    expect(body.error.code).toBe('UNAUTHORIZED');
    expect(await count()).toBe(before);
  });

  it.each<[Person, number, string]>([
    ['pending', 401, 'EMAIL_NOT_VERIFIED'],
    ['banned', 403, 'BANNED'],
  ])('refuses a %s member', async (person, status, code) => {
    const answer = await world.as(person).post('/api/access-tag', { title: 'Not allowed' });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('G2 refuses another author from all but admins, and a foreign one from them too', async () => {
    const before = await count();
    for (const person of ['free', 'premium', 'creator'] as const) {
      const { status, body } = await world
        .as(person)
        .post('/api/access-tag', { title: 'For another', AuthorId: world.user('otherFree').id });
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    for (const AuthorId of [world.user('free', 'B').id, 2_147_483_647]) {
      const { status, body } = await world
        .as('admin')
        .post('/api/access-tag', { title: 'Foreign', AuthorId });
      expect(status).toBe(400);
      expect(body.error.details).toEqual([{ field: 'AuthorId', issue: `unknown id ${AuthorId}` }]);
    }
    expect(await count()).toBe(before);
  });

  it.each<[string, unknown]>([
    ['no title', {}],
    ['an empty title', { title: '' }],
    ['a blank title', { title: '   ' }],
    ['101 characters', { title: 'x'.repeat(101) }],
    ['a number', { title: 7 }],
    ['null', { title: null }],
    ['a NUL', { title: 'a\0b' }],
    ['a lone surrogate', '{"title":"\\ud800"}'],
    ['an author that is text', { title: 'T', AuthorId: '1' }],
    ['an author past all ids', { title: 'T', AuthorId: 2_147_483_648 }],
    ['an array', []],
  ])('refuses %s', async (_, sent) => {
    const { status, body } = await world.as('admin').post('/api/access-tag', sent);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('reading tags', () => {
  it.each<Person>(['free', 'basic', 'premium'])('G4 keeps the lists from a %s member', async (person) => {
    for (const path of ['/api/access-tags', '/api/user-tags', `/api/access-tag/${id}/users`]) {
      const { status, body } = await world.as(person).get(path);
      expect([status, body.error.code]).toEqual([403, 'ROLE_FORBIDDEN']);
    }
    const one = await world.as(person).get(`/api/access-tag/${id}`);
    expect([one.status, one.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('G4 keeps them from visitors, and tags of another platform from everyone', async () => {
    for (const path of ['/api/access-tags', `/api/access-tag/${id}`, `/api/access-tag/${id}/users`]) {
      expect((await world.anonymous().get(path)).status).toBe(401);
    }
    for (const path of [`/api/access-tag/${foreign}`, `/api/access-tag/${foreign}/users`]) {
      expect((await world.as('admin').get(path)).status).toBe(404);
    }
    expect((await world.as('admin').get('/api/access-tag/2147483648')).status).toBe(404);
    expect((await world.as('admin').get('/api/access-tag/one')).status).toBe(400);
  });

  it.each(['sort=email:asc', 'sort=name', 'itemsPerPage=0', 'currentPage=x', 'searchTerm=a&searchTerm=b'])(
    'refuses the list with %s',
    async (query) => {
      const { status, body } = await world.as('creator').get(`/api/access-tag/${id}/users?${query}`);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('deleting tags', () => {
  it('G5 is not for strangers', async () => {
    const AuthorId = world.user('otherFree').id;
    const { body } = await world.as('admin').post('/api/access-tag', { title: 'Not yours', AuthorId });
    for (const person of ['free', 'creator'] as const) {
      for (const one of [id, body.id]) {
        const answer = await world.as(person).delete(`/api/access-tag/${one}`);
        expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
      }
    }
    expect((await world.anonymous().delete(`/api/access-tag/${id}`)).status).toBe(401);
    expect((await world.as('admin', 'B').delete(`/api/access-tag/${id}`)).status).toBe(404);
    expect((await world.as('admin').get(`/api/access-tag/${id}`)).status).toBe(200);
    expect((await world.as('admin').get(`/api/access-tag/${body.id}`)).status).toBe(200);
  });
});

describe('giving and taking tags', () => {
  it.each<Person>(['free', 'creator'])('is not for a %s', async (person) => {
    const dto = { userIds: [world.user(person).id] };
    for (const answer of [
      await world.as(person).post(`/api/access-tag/${id}/users`, dto),
      await world.as(person).delete(`/api/access-tag/${id}/users`, dto),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([403, 'ROLE_FORBIDDEN']);
    }
  });

  it('refuses users of another platform, all named, and gives nothing', async () => {
    const theirs = world.user('free', 'B').id;
    const { status, body } = await world
      .as('admin')
      .post(`/api/access-tag/${id}/users`, { userIds: [world.user('free').id, theirs] });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'userIds', issue: `unknown id ${theirs}` }]);
    expect((await world.as('admin').get(`/api/access-tag/${id}/users`)).body.totalItems).toBe(0);
  });

  it('knows no tag of another platform', async () => {
    const dto = { userIds: [world.user('free').id] };
    expect((await world.as('admin').post(`/api/access-tag/${foreign}/users`, dto)).status).toBe(404);
    expect((await world.as('admin').delete(`/api/access-tag/${foreign}/users`, dto)).status).toBe(404);
  });

  it.each<[string, object]>([
    ['nobody', {}],
    ['text for ids', { userIds: ['1'] }],
    ['501 ids', { userIds: Array.from({ length: 501 }, (_, index) => index + 1) }],
    ['an end that is no date', { userIds: [1], expiresAt: '2026-02-30T00:00:00Z' }],
    ['an end that is a number', { userIds: [1], expiresAt: 0 }],
  ])('refuses %s', async (_, sent) => {
    const { status, body } = await world.as('admin').post(`/api/access-tag/${id}/users`, sent);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('G6 a member holds at most 100 access tags', () => {
  const tags: number[] = [];
  let one: number;

  beforeAll(async () => {
    const rows = await test.db.dataSource.query(
      `insert into access_tags ("PlatformId", title)
       select $1, 'Tag ' || n from generate_series(1, 110) n returning id`,
      [world.platformId()],
    );
    tags.push(...rows.map((row: { id: number }) => row.id));
    one = world.user('otherFree').id;
  });
  const save = (values: object): Promise<any> => world.as('admin').post('/api/user', { id: one, ...values });
  const grant = (tag: number | undefined, userIds: number[], values: object = {}): Promise<any> =>
    world.as('admin').post(`/api/access-tag/${tag}/users`, { userIds, ...values });
  const held = async (): Promise<number> =>
    (await world.as('otherFree').get('/api/user/me')).body.AccessTags.length;

  it('when a user is saved', async () => {
    expect((await save({ AccessTagIds: tags.slice(0, 100) })).status).toBe(200);
    const { status, body } = await save({ AccessTagIds: tags.slice(0, 101), name: 'Not saved' });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { field: 'AccessTagIds', issue: `more than 100 access tags would be held by: ${one}` },
    ]);
    expect(await held()).toBe(100);
    const added = await world.as('admin').post('/api/user', {
      ...{ email: 'tags@people.test', name: 'New', role: 'free', PlatformId: world.platformId() },
      AccessTagIds: tags.slice(0, 101),
    });
    expect(added.status).toBe(400);
    const [{ there }] = await test.db.dataSource.query(
      `select count(*)::int as there from users where email = 'tags@people.test'`,
    );
    expect(there).toBe(0);
  });

  it('when tags are granted, and then nobody of the request gets them', async () => {
    const other = world.user('premium').id;
    const { status, body } = await grant(tags[100], [other, one]);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { field: 'userIds', issue: `more than 100 access tags would be held by: ${one}` },
    ]);
    expect((await world.as('admin').get(`/api/access-tag/${tags[100]}/users`)).body.totalItems).toBe(0);
    // One that is held already may be granted again, and what has ended does not count.
    expect((await grant(tags[0], [one])).status).toBe(200);
    expect((await grant(tags[0], [one], { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(200);
    expect((await grant(tags[100], [one])).status).toBe(200);
    expect((await grant(tags[0], [one])).status).toBe(400);
  });

  it('whatever comes at once', async () => {
    await save({ AccessTagIds: tags.slice(0, 97) });
    const answers = await Promise.all(tags.slice(97).map((tag) => grant(tag, [one, world.user('basic').id])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(await held()).toBe(100);
  });
});
