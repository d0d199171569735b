import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
afterEach(() => test.clock.reset());

let made = 0;
async function tag(values: object = {}, platform: 'A' | 'B' = 'A'): Promise<number> {
  const { body } = await world
    .as('admin', platform)
    .post('/api/access-tag', { title: `Tag ${++made}`, ...values });
  expect(body).toEqual({ success: 'true', id: expect.any(Number) });
  return body.id;
}

const audited = async (id: number): Promise<unknown[]> =>
  test.db.dataSource.query(
    `select action, "ActorId", "PlatformId" from audit_log where "targetType" = 'access-tag' and "targetId" = $1`,
    [String(id)],
  );

describe('POST /api/access-tag', () => {
  it('adds a tag on the platform of the caller, whoever that is', async () => {
    const { id } = world.user('free');
    const own = await world.as('free').post('/api/access-tag', { title: '  Night Sailor ', AuthorId: id });
    expect(own.status).toBe(200);
    const nobodys = await world.as('free').post('/api/access-tag', { title: 'Night Sailor' });
    expect(nobodys.body.id).not.toBe(own.body.id);
    const { body } = await world.as('admin').get(`/api/access-tag/${own.body.id}`);
    expect(body).toEqual({
      id: own.body.id,
      title: 'Night Sailor',
      PlatformId: world.platformId(),
      AuthorId: id,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('answers the tag that is there for the same title, platform and author, however it is composed', async () => {
    const id = await tag({ title: 'Caf\u00e9' });
    expect(await tag({ title: 'Cafe\u0301 ', AuthorId: null })).toBe(id);
    expect(await tag({ title: 'Caf\u00e9', AuthorId: world.user('free').id })).not.toBe(id);
    expect(await tag({ title: 'Café' }, 'B')).not.toBe(id);
  });

  it('G3 makes one row of 50 equal requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.as('free').post('/api/access-tag', { title: 'All at once' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const rows = await test.db.dataSource.query(`select id from access_tags where title = 'All at once'`);
    expect(rows).toHaveLength(1);
  });

  it('lets an admin name another author of the platform', async () => {
    const AuthorId = world.user('creator').id;
    const id = await tag({ AuthorId });
    expect((await world.as('creator').get(`/api/access-tag/${id}`)).body).toMatchObject({ id, AuthorId });
  });
});

describe('GET /api/access-tags', () => {
  it('G4 lists the tags of the caller’s own platform only, in one statement', async () => {
    const mine = await tag();
    const theirs = await tag({}, 'B');
    const ids = async (platform: 'A' | 'B'): Promise<number[]> => {
      const { status, body } = await world.as('creator', platform).get('/api/access-tags');
      expect(status).toBe(200);
      expect(new Set(body.map((one: any) => one.PlatformId))).toEqual(new Set([world.platformId(platform)]));
      return body.map((one: any) => one.id);
    };
    expect(await ids('A')).toContain(mine);
    expect(await ids('A')).not.toContain(theirs);
    expect(await ids('B')).toContain(theirs);
    const queries = await test.queriesOf(() => world.as('creator').get('/api/access-tags'));
    expect(queries.filter((text) => text.includes('access_tags'))).toHaveLength(1);
    expect(queries.length).toBeLessThanOrEqual(2);
  });
});

describe('the old names', () => {
  it('answer the same and name their successors', async () => {
    const added = await world.as('free').post('/api/user-tag', { title: 'By the old name' });
    expect(added.body).toEqual({ success: 'true', id: expect.any(Number) });
    expect(added.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      link: '</api/access-tag>; rel="successor-version"',
    });
    expect(await tag({ title: 'By the old name' })).toBe(added.body.id);
    const old = await world.as('creator').get('/api/user-tags');
    expect(old.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      link: '</api/access-tags>; rel="successor-version"',
    });
    const now = await world.as('creator').get('/api/access-tags');
    expect(old.body).toEqual(now.body);
    expect(now.headers).not.toHaveProperty('deprecation');
  });
});

describe('who holds a tag', () => {
  const holders = async (id: number, query = ''): Promise<any> => {
    const { status, body } = await world.as('creator').get(`/api/access-tag/${id}/users${query}`);
    expect(status).toBe(200);
    return body;
  };
  const names = async (id: number, query = ''): Promise<string[]> =>
    (await holders(id, query)).items.map((one: any) => one.name);

  it('is given, listed without e-mails, and taken', async () => {
    const id = await tag();
    const userIds = [world.user('free').id, world.user('basic').id, world.user('premium').id];
    const given = await world
      .as('admin')
      .post(`/api/access-tag/${id}/users`, { userIds: [...userIds, userIds[0]] });
    expect(given.body).toEqual({ success: 'true', count: 3 });
    const page = await holders(id, '?itemsPerPage=2');
    expect(page).toMatchObject({ totalItems: 3, totalPages: 2, currentPage: 1, itemsPerPage: 2 });
    expect(page.items[0]).toEqual({
      id: world.user('basic').id,
      name: 'basic of A',
      photoUrl: null,
      role: 'basic',
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await names(id)).toEqual(['basic of A', 'free of A', 'premium of A']);
    expect(await names(id, '?sort=name:desc')).toEqual(['premium of A', 'free of A', 'basic of A']);
    expect(await names(id, '?searchTerm=PRÉM')).toEqual(['premium of A']);
    expect((await holders(id, '?currentPage=9')).items).toEqual([]);
    const taken = await world.as('admin').delete(`/api/access-tag/${id}/users`, {
      userIds: [userIds[0], world.user('otherFree').id],
    });
    expect(taken.body).toEqual({ success: 'true', count: 1 });
    expect(await names(id)).toEqual(['basic of A', 'premium of A']);
  });

  it('holds it until it expires; giving it again without an end keeps the end that is still to come', async () => {
    const id = await tag();
    const { id: item } = await world.content({ visibility: 'private', AccessTagIds: [id] });
    const userIds = [world.user('free').id];
    const mayRead = async (): Promise<number> => (await world.as('free').get(`/api/content/${item}`)).status;
    expect(await mayRead()).toBe(404);
    test.clock.advance(0);
    const expiresAt = new Date(test.clock.now().getTime() + 3_600_000).toISOString();
    await world.as('admin').post(`/api/access-tag/${id}/users`, { userIds, expiresAt });
    expect(await mayRead()).toBe(200);
    await world.as('admin').post(`/api/access-tag/${id}/users`, { userIds });
    expect((await holders(id)).items).toMatchObject([{ expiresAt }]);
    test.clock.set(expiresAt);
    expect(await mayRead()).toBe(404);
    expect(await holders(id)).toMatchObject({ items: [], totalItems: 0 });
    await world.as('admin').post(`/api/access-tag/${id}/users`, { userIds });
    expect((await holders(id)).items).toMatchObject([{ expiresAt: null }]);
    expect(await mayRead()).toBe(200);
  });

  it('costs the same however many there are', async () => {
    const id = await tag();
    const cost = (): Promise<string[]> =>
      test.queriesOf(() => world.as('creator').get(`/api/access-tag/${id}/users`));
    await world.as('admin').post(`/api/access-tag/${id}/users`, { userIds: [world.user('free').id] });
    const few = (await cost()).length;
    await world.as('admin').post(`/api/access-tag/${id}/users`, {
      userIds: [world.user('basic').id, world.user('premium').id],
    });
    expect((await cost()).length).toBe(few);
    expect(few).toBeLessThanOrEqual(4);
  });
});

describe('DELETE /api/access-tag/{id}', () => {
  const stored = async (id: number): Promise<any> =>
    (await test.db.dataSource.query(`select visibility, "gateClosed" from contents where id = $1`, [id]))[0];

  it('closes the gates that lose their last entry and says how many records carried it', async () => {
    const id = await tag();
    const other = await tag();
    const alone = await world.content({ visibility: 'members', AccessTagIds: [id] });
    const shared = await world.content({ visibility: 'members', AccessTagIds: [id, other] });
    const byRole = await world.content({
      visibility: 'members',
      AccessTagIds: [id],
      requiredRole: 'premium',
    });
    const gone = await world.content({ visibility: 'members', AccessTagIds: [id] });
    await world.as('creator').delete(`/api/content/${gone.id}`);
    const { status, body } = await world.as('admin').delete(`/api/access-tag/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Access tag deleted.',
      id,
      affected: { contents: 3, collections: 0, courses: 0 },
    });
    expect(await stored(alone.id)).toEqual({ visibility: 'private', gateClosed: true });
    expect(await stored(shared.id)).toEqual({ visibility: 'members', gateClosed: false });
    expect(await stored(byRole.id)).toEqual({ visibility: 'members', gateClosed: false });
    expect((await world.as('premium').get(`/api/content/${alone.id}`)).status).toBe(404);
    expect((await world.as('premium').get(`/api/content/${byRole.id}`)).body).toMatchObject({
      locked: false,
    });
    expect((await world.as('creator').get(`/api/content/${alone.id}`)).status).toBe(200);
    expect((await world.as('admin').get(`/api/access-tag/${id}`)).status).toBe(404);
    expect((await world.as('admin').delete(`/api/access-tag/${id}`)).status).toBe(404);
    expect(await audited(id)).toEqual([
      { action: 'access-tag.delete', ActorId: world.user('admin').id, PlatformId: world.platformId() },
    ]);
  });

  it('leaves nothing open when all tags of one gate are deleted at once', async () => {
    const tags: number[] = [];
    for (let index = 0; index < 10; index++) tags.push(await tag());
    const { id } = await world.content({ visibility: 'members', AccessTagIds: tags });
    const answers = await Promise.all(tags.map((one) => world.as('admin').delete(`/api/access-tag/${one}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await stored(id)).toEqual({ visibility: 'private', gateClosed: true });
  });

  it('is for its author too, and ends the membership by rule of those who held it', async () => {
    const { body } = await world.as('free').post('/api/access-tag', {
      title: 'Mine to delete',
      AuthorId: world.user('free').id,
    });
    const group = await world.group({ visibility: 'private', AccessTagIds: [body.id] });
    await world.as('admin').post(`/api/access-tag/${body.id}/users`, { userIds: [world.user('basic').id] });
    expect((await world.as('basic').get(`/api/group/${group.id}`)).status).toBe(200);
    expect((await world.as('free').delete(`/api/access-tag/${body.id}`)).status).toBe(200);
    expect((await world.as('basic').get(`/api/group/${group.id}`)).status).toBe(404);
  });
});
