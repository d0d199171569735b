import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
afterEach(() => test.clock.reset());

const idOf = (person: Person): number => world.user(person).id;

/** A group of the creator's. */
async function group(values: object = {}): Promise<number> {
  const { body } = await world.as('creator').post('/api/group', { name: 'A group', ...values });
  return body[0].id;
}
const add = (id: number, people: Person[], values: object = {}, by: Person = 'creator') =>
  world.as(by).post(`/api/group/${id}/members`, { userIds: people.map(idOf), ...values });
const read = async (id: number, person: Person = 'creator'): Promise<any> =>
  (await world.as(person).get(`/api/group/${id}`)).body;
const members = async (id: number, query = '', person: Person = 'creator'): Promise<any> => {
  const { status, body } = await world.as(person).get(`/api/group/${id}/members${query}`);
  expect(status).toBe(200);
  return body;
};
const names = async (id: number, query = ''): Promise<string[]> =>
  (await members(id, query)).items.map((one: any) => one.User.name.replace(' of A', ''));
const inAnHour = (): string => {
  test.clock.advance(0);
  return new Date(test.clock.now().getTime() + 3_600_000).toISOString();
};
const audited = (id: number): Promise<any[]> =>
  test.db.dataSource.query(
    `select action, "targetId", fields from audit_log
      where "targetType" = 'group-member' and "targetId" like $1 order by id`,
    [`${id}/%`],
  );

describe('POST /api/group/{id}/members', () => {
  it('adds people and counts them in the same transaction', async () => {
    const id = await group();
    const first = await add(id, ['free', 'basic', 'free']);
    expect([first.status, first.body]).toEqual([200, { success: true, added: 2, updated: 0 }]);
    const second = await add(id, ['basic', 'premium']);
    expect(second.body).toEqual({ success: true, added: 1, updated: 1 });
    expect((await read(id)).memberCount).toBe(4);
    expect((await read(id, 'free')).myMembership).toEqual({
      UserId: idOf('free'),
      GroupId: id,
      role: 'member',
      status: 'active',
      source: 'manual',
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('opens the gates of the group until the membership ends', async () => {
    const id = await group({ visibility: 'private' });
    const item = await world.content({ visibility: 'private', GroupIds: [id] });
    const mayRead = async (): Promise<number> =>
      (await world.as('free').get(`/api/content/${item.id}`)).status;
    const expiresAt = inAnHour();
    await add(id, ['free'], { expiresAt });
    expect(await mayRead()).toBe(200);
    expect(await read(id, 'free')).toMatchObject({ memberCount: 2, myMembership: { expiresAt } });
    await add(id, ['free'], { role: 'moderator' });
    expect((await read(id, 'free')).myMembership).toMatchObject({ role: 'moderator', expiresAt });
    test.clock.set(expiresAt);
    expect(await mayRead()).toBe(404);
    expect((await world.as('free').get(`/api/group/${id}`)).status).toBe(404);
    expect(await read(id)).toMatchObject({ memberCount: 1 });
    expect(await names(id)).toEqual(['creator']);
    await add(id, ['free'], { expiresAt: null });
    expect(await mayRead()).toBe(200);
  });

  it('reads an end without an offset in the timezone of the platform', async () => {
    const id = await group();
    await test.db.dataSource.query(`update platforms set timezone = 'Asia/Tokyo' where id = $1`, [
      world.platformId(),
    ]);
    await add(id, ['free'], { expiresAt: '2098-06-01T09:00:00' });
    expect((await read(id, 'free')).myMembership.expiresAt).toBe('2098-06-01T00:00:00.000Z');
  });

  it('lets moderators add plain members and writes down who was added and changed', async () => {
    const id = await group();
    await add(id, ['free'], { role: 'moderator' });
    expect((await add(id, ['basic'], {}, 'free')).body).toEqual({ success: true, added: 1, updated: 0 });
    await add(id, ['free', 'basic'], { role: 'member' });
    await add(id, ['basic'], { expiresAt: '2098-06-01T09:00:00Z' });
    expect(await audited(id)).toEqual([
      { action: 'group-member.add', targetId: `${id}/${idOf('free')}`, fields: ['role'] },
      { action: 'group-member.add', targetId: `${id}/${idOf('basic')}`, fields: [] },
      { action: 'group-member.role', targetId: `${id}/${idOf('free')}`, fields: ['role'] },
      { action: 'group-member.edit', targetId: `${id}/${idOf('basic')}`, fields: ['expiresAt'] },
    ]);
  });

  it('passes the group to another owner when its own is one no longer', async () => {
    const id = await group();
    await add(id, ['free'], { role: 'owner' });
    expect((await read(id)).UserId).toBe(idOf('creator'));
    await add(id, ['creator'], { role: 'member' }, 'free');
    expect((await read(id)).UserId).toBe(idOf('free'));
    expect((await world.as('free').delete(`/api/group/${id}`)).status).toBe(200);
  });
});

describe('GET /api/group/{id}/members', () => {
  it('pages, sorts, searches and filters, without e-mails', async () => {
    const id = await group();
    await add(id, ['free', 'basic']);
    await add(id, ['premium'], { role: 'moderator' });
    const page = await members(id, '?itemsPerPage=3&sort=name:asc');
    expect(page).toMatchObject({ totalItems: 4, totalPages: 2 });
    expect(page.items[0]).toEqual({
      UserId: idOf('basic'),
      GroupId: id,
      role: 'member',
      status: 'active',
      source: 'manual',
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
      User: { id: idOf('basic'), name: 'basic of A', photoUrl: null, role: 'basic' },
    });
    expect(JSON.stringify(page)).not.toContain('@');
    expect(await names(id, '?sort=name:desc')).toEqual(['premium', 'free', 'creator', 'basic']);
    expect(await names(id, '?filters=role:moderator')).toEqual(['premium']);
    expect(await names(id, '?searchTerm=BAS')).toEqual(['basic']);
    expect(await names(id, '?itemsPerPage=3&currentPage=2&sort=name:asc')).toEqual(['premium']);
  });

  it('costs the same however many there are', async () => {
    const id = await group();
    const cost = async (): Promise<number> =>
      (await test.queriesOf(() => world.as('creator').get(`/api/group/${id}/members`))).length;
    await cost();
    const few = await cost();
    await add(id, ['free', 'basic', 'premium']);
    expect(await cost()).toBe(few);
    expect(few).toBeLessThanOrEqual(4);
  });
});

describe('the tag rule', () => {
  async function tagged(values: object = {}): Promise<{ id: number; tag: number }> {
    const { body } = await world.as('admin').post('/api/access-tag', { title: `Rule ${Math.random()}` });
    return { id: await group({ visibility: 'private', AccessTagIds: [body.id], ...values }), tag: body.id };
  }
  const hold = (tag: number, people: Person[], values: object = {}) =>
    world.as('admin').post(`/api/access-tag/${tag}/users`, { userIds: people.map(idOf), ...values });

  it('makes members of those who hold the tag, as long as they hold it', async () => {
    const { id, tag } = await tagged();
    const item = await world.content({ visibility: 'private', GroupIds: [id] });
    expect((await world.as('free').get(`/api/group/${id}`)).status).toBe(404);
    const expiresAt = inAnHour();
    await hold(tag, ['free', 'basic'], { expiresAt });
    expect(await read(id, 'free')).toMatchObject({
      memberCount: 3,
      myMembership: { role: 'member', status: 'active', source: 'tag', expiresAt },
    });
    expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(200);
    expect(await names(id, '?sort=name:asc')).toEqual(['basic', 'creator', 'free']);
    expect(
      (await world.as('free').get(`/api/groups?filters=mine:true`)).body.items.map((one: any) => one.id),
    ).toContain(id);
    test.clock.set(expiresAt);
    expect((await world.as('free').get(`/api/group/${id}`)).status).toBe(404);
    expect((await read(id)).memberCount).toBe(1);
  });

  it('counts nobody twice, and leaves a closed group’s members by rule as they are when they join', async () => {
    const { id, tag } = await tagged();
    await hold(tag, ['free', 'basic']);
    const { body } = await world.as('free').post(`/api/group/${id}/join`, {});
    expect(body).toEqual([expect.objectContaining({ source: 'tag', status: 'active' }), false]);
    await add(id, ['basic'], { role: 'moderator' });
    expect((await read(id)).memberCount).toBe(3);
    expect((await members(id)).totalItems).toBe(3);
    expect((await read(id, 'basic')).myMembership).toMatchObject({ role: 'moderator', source: 'manual' });
  });

  it('leaves by rule who is said to be in the group, and no longer by rule who is said to have no tag', async () => {
    const { id, tag } = await tagged();
    await hold(tag, ['premium']);
    const user = { id: idOf('premium') };
    const mine = async (values: object): Promise<unknown> => {
      expect((await world.as('admin').post('/api/user', { ...user, ...values })).status).toBe(200);
      return (await read(id, 'premium')).myMembership?.source;
    };
    expect(await mine({ GroupIds: [id] })).toBe('tag');
    expect((await read(id)).memberCount).toBe(2);
    expect(await mine({ GroupIds: [id], AccessTagIds: [tag] })).toBe('tag');
    expect(await mine({ GroupIds: [id], AccessTagIds: [] })).toBe('manual');
    expect(await mine({ GroupIds: [id], AccessTagIds: [tag] })).toBe('manual');
    await world.as('admin').delete(`/api/access-tag/${tag}/users`, { userIds: [user.id] });
    expect((await read(id, 'premium')).myMembership?.source).toBe('manual');
  });

  it('does not bring back who is banned from the group', async () => {
    const { id, tag } = await tagged();
    await add(id, ['free']);
    await test.db.dataSource.query(
      `update group_members set status = 'banned' where "GroupId" = $1 and "UserId" = $2`,
      [id, idOf('free')],
    );
    await hold(tag, ['free']);
    const item = await world.content({ visibility: 'private', GroupIds: [id] });
    expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(404);
    expect((await world.as('free').get(`/api/group/${id}`)).status).toBe(404);
    expect(await names(id)).toEqual(['creator']);
  });
});

describe('joining and leaving', () => {
  it('joins an open group once', async () => {
    const id = await group({ joinPolicy: 'open' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.as('free').post(`/api/group/${id}/join`, { reason: 'Why not' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.filter(({ body }) => body[1])).toHaveLength(1);
    expect(answers[0]?.body[0]).toMatchObject({
      UserId: idOf('free'),
      GroupId: id,
      role: 'member',
      status: 'active',
    });
    expect((await read(id)).memberCount).toBe(2);
  });

  it('counts all who join at once', async () => {
    const id = await group({ joinPolicy: 'open' });
    const people = ['free', 'otherFree', 'basic', 'premium', 'otherCreator', 'admin'] as const;
    await Promise.all(people.map((person) => world.as(person).post(`/api/group/${id}/join`)));
    expect((await read(id)).memberCount).toBe(7);
    await Promise.all(people.map((person) => world.as(person).post(`/api/group/${id}/leave`)));
    expect((await read(id)).memberCount).toBe(1);
  });

  it('counts all whose groups an admin replaces at once', async () => {
    const id = await group();
    const people = ['free', 'otherFree', 'basic', 'premium', 'otherCreator'] as const;
    const answers = await Promise.all(
      people.map((person) => world.as('admin').post('/api/user', { id: idOf(person), GroupIds: [id] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await read(id)).memberCount).toBe(6);
    await Promise.all(
      people.map((person) => world.as('admin').post('/api/user', { id: idOf(person), GroupIds: [] })),
    );
    expect((await read(id)).memberCount).toBe(1);
  });

  it('leaves once, and takes back a request', async () => {
    const id = await group({ joinPolicy: 'request' });
    expect((await world.as('free').post(`/api/group/${id}/join`)).body).toEqual([
      expect.objectContaining({ status: 'pending' }),
      true,
    ]);
    expect((await world.as('free').post(`/api/group/${id}/leave`)).body).toEqual({
      message: 'You have left the group.',
      id,
    });
    expect((await world.as('creator').get(`/api/group/${id}/requests`)).body.totalItems).toBe(0);
    expect((await world.as('free').post(`/api/group/${id}/leave`)).status).toBe(404);
  });

  it('lets an owner leave when there is another', async () => {
    const id = await group();
    await add(id, ['free'], { role: 'owner' });
    expect((await world.as('creator').post(`/api/group/${id}/leave`)).status).toBe(200);
    expect(await read(id, 'free')).toMatchObject({ UserId: idOf('free'), memberCount: 1 });
  });

  it('removes a member, which is written down', async () => {
    const id = await group();
    await add(id, ['free', 'basic']);
    const { status, body } = await world.as('creator').delete(`/api/group/${id}/members/${idOf('free')}`);
    expect([status, body]).toEqual([200, { message: 'Membership ended.', id: idOf('free') }]);
    expect(await read(id)).toMatchObject({ memberCount: 2 });
    expect(await names(id, '?sort=name:asc')).toEqual(['basic', 'creator']);
    expect((await world.as('creator').delete(`/api/group/${id}/members/${idOf('free')}`)).status).toBe(404);
    expect((await audited(id)).slice(-1)).toEqual([
      { action: 'group-member.remove', targetId: `${id}/${idOf('free')}`, fields: [] },
    ]);
  });
});

describe('requests to join', () => {
  it('wait for a moderator, who approves or rejects them', async () => {
    const id = await group({ joinPolicy: 'request' });
    await add(id, ['premium'], { role: 'moderator' });
    const item = await world.content({ visibility: 'private', GroupIds: [id] });
    const [request, created] = (await world.as('free').post(`/api/group/${id}/join`, { reason: 'I sail.' }))
      .body;
    expect([request.status, created]).toEqual(['pending', true]);
    expect((await world.as('free').post(`/api/group/${id}/join`, { reason: 'Please' })).body[1]).toBe(false);
    await world.as('basic').post(`/api/group/${id}/join`);
    expect(await read(id, 'free')).toMatchObject({ memberCount: 2, myMembership: { status: 'pending' } });
    expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(404);
    expect((await members(id)).totalItems).toBe(2);

    const { body } = await world.as('premium').get(`/api/group/${id}/requests?sort=name:desc`);
    expect(body.items).toEqual([
      {
        ...request,
        reason: 'I sail.',
        User: { id: idOf('free'), name: 'free of A', photoUrl: null, role: 'free' },
      },
      expect.objectContaining({ UserId: idOf('basic'), reason: null }),
    ]);
    const decide = (person: Person, decision: string) =>
      world
        .as('premium')
        .post(`/api/group/${id}/requests/${idOf(person)}`, { decision, reason: 'So be it.' });
    expect((await decide('free', 'approve')).body).toEqual({
      success: true,
      membership: { ...request, status: 'active' },
    });
    expect((await decide('basic', 'reject')).body).toEqual({ success: true, membership: null });
    expect(await read(id, 'free')).toMatchObject({ memberCount: 3, myMembership: { status: 'active' } });
    expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(200);
    expect((await read(id, 'basic')).myMembership).toBeNull();
    expect((await decide('free', 'approve')).status).toBe(404);
    expect((await decide('basic', 'approve')).status).toBe(404);
  });

  it('end when the person is added, or the group opens', async () => {
    const id = await group({ joinPolicy: 'request' });
    await world.as('free').post(`/api/group/${id}/join`);
    await world.as('basic').post(`/api/group/${id}/join`);
    expect((await add(id, ['free'])).body).toEqual({ success: true, added: 0, updated: 1 });
    await world.as('creator').post('/api/group', { id, joinPolicy: 'open' });
    expect((await world.as('basic').post(`/api/group/${id}/join`)).body).toEqual([
      expect.objectContaining({ status: 'active' }),
      false,
    ]);
    expect((await world.as('creator').get(`/api/group/${id}/requests`)).body.totalItems).toBe(0);
    expect((await read(id)).memberCount).toBe(3);
  });
});
