import { type Person, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';
import { claimsOf } from '../support/tokens';

let test: TestApp;
let world: World;
let groups: number[];
let tags: number[];

const tag = async (title: string): Promise<number> => {
  const [{ id }] = await test.db.dataSource.query(
    `insert into access_tags ("PlatformId", title) values ($1, $2) returning id`,
    [world.platformId(), title],
  );
  return id;
};

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  groups = [];
  for (const name of ['Skippers', 'Crew', 'Cooks']) groups.push((await world.group({ name })).id);
  tags = [await tag('early'), await tag('late')];
});
afterAll(() => test.stop());

let made = 0;
const newcomer = (values: object = {}): object => ({
  email: `newcomer${++made}@people.test`,
  name: 'Newcomer',
  role: 'free',
  PlatformId: world.platformId(),
  ...values,
});
const save = (body: object, person: Person = 'admin'): Promise<Answer> =>
  world.as(person).post('/api/user', body);
const meOf = async (token: string): Promise<any> =>
  (await test.client({ authorization: `Bearer ${token}` }).get('/api/user/me')).body;
const names = (records: { name: string }[]): string[] => records.map(({ name }) => name);
const memberCounts = async (): Promise<number[]> =>
  (
    await test.db.dataSource.query(`select "memberCount" from groups where id = any($1) order by id`, [
      groups,
    ])
  ).map((row: { memberCount: number }) => row.memberCount);

describe('GET /api/user/me', () => {
  it('answers the caller with groups, tags and platform', async () => {
    const { body } = await save(newcomer({ GroupIds: [groups[0]], AccessTagIds: [tags[1]] }));
    const user = body[0];
    expect(await meOf(user.token)).toEqual({
      id: user.id,
      email: user.email,
      name: 'Newcomer',
      role: 'free',
      status: 'active',
      PlatformId: world.platformId(),
      photoUrl: null,
      bannerImageUrl: null,
      notes: null,
      createdAt: user.createdAt,
      updatedAt: user.updatedAt,
      Groups: [{ id: groups[0], name: 'Skippers' }],
      AccessTags: [{ id: tags[1], title: 'late' }],
      Platform: { id: world.platformId(), name: 'Platform A', slug: 'platform-a' },
      unreadCount: 0,
    });
  });
});

describe('POST /api/user creates', () => {
  it('[user with token, true]', async () => {
    const answer = await save(
      newcomer({
        email: 'Ada@Example.org',
        name: '  Ada Lovelace ',
        role: 'premium',
        photoUrl: 'https://example.org/ada.jpg',
        bannerImageUrl: 'http://example.org/banner.jpg',
        notes: 'Sails.\nOften.',
        password: 'correct horse battery',
      }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id: expect.any(Number),
        email: 'Ada@Example.org',
        name: 'Ada Lovelace',
        role: 'premium',
        status: 'active',
        PlatformId: world.platformId(),
        photoUrl: 'https://example.org/ada.jpg',
        bannerImageUrl: 'http://example.org/banner.jpg',
        notes: 'Sails.\nOften.',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
        token: expect.any(String),
      },
      true,
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const [user] = answer.body;
    expect(claimsOf(user.token)).toMatchObject({ kind: 'created', sub: String(user.id) });
    expect((await meOf(user.token)).id).toBe(user.id);
    const signedIn = await world.anonymous().post('/api/user/signin', {
      email: 'ada@example.org',
      password: 'correct horse battery',
      PlatformId: world.platformId(),
    });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  });

  it.each(['free', 'basic', 'premium', 'admin', 'creator'])('a user of the role %s', async (role) => {
    const { body } = await save(newcomer({ role }));
    expect(body[0]).toMatchObject({ role });
    expect((await meOf(body[0].token)).role).toBe(role);
    if (role === 'admin') await world.as('admin').delete(`/api/user/${body[0].id}`);
  });

  it('a pending user, whose token waits for the address to be verified', async () => {
    const { body } = await save(newcomer({ status: 'pending' }));
    expect(body[0]).toMatchObject({ status: 'pending' });
    expect((await meOf(body[0].token)).error.code).toBe('EMAIL_NOT_VERIFIED');
  });

  it('a user with groups and tags, ids sent twice counting once', async () => {
    const before = await memberCounts();
    const { status, body } = await save(
      newcomer({ GroupIds: [groups[1], groups[0], groups[1]], AccessTagIds: [tags[0], tags[0]] }),
    );
    expect(status).toBe(200);
    const me = await meOf(body[0].token);
    expect(names(me.Groups)).toEqual(['Skippers', 'Crew']);
    expect(me.AccessTags).toEqual([{ id: tags[0], title: 'early' }]);
    expect(await memberCounts()).toEqual(before.map((count, index) => (index < 2 ? count + 1 : count)));
  });

  it('U15 one of 20 at once for an address, however it is spelled', async () => {
    const spellings = ['race@people.test', 'RACE@people.test', ' race@People.TEST ', 'ｒace@people.test'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        save(newcomer({ email: spellings[index % spellings.length] })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect(body.error).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        details: [{ field: 'email', issue: 'taken' }],
      });
    }
    const [{ count }] = await test.db.dataSource.query(
      `select count(*)::int as count from users where "emailKey" = 'race@people.test'`,
    );
    expect(count).toBe(1);
  });

  it('an address that another platform has too', async () => {
    const { email } = newcomer() as { email: string };
    expect((await save(newcomer({ email }))).status).toBe(200);
    const other = await world
      .as('admin', 'B')
      .post('/api/user', newcomer({ email, PlatformId: world.platformId('B') }));
    expect(other.body[0]).toMatchObject({ email, PlatformId: world.platformId('B') });
  });

  it('nothing that was not asked for', async () => {
    const { body } = await save(
      newcomer({
        id: null,
        passwordHash: 'x',
        bannedAt: '2026-01-01',
        deletedAt: '2026-01-01',
        createdAt: '2000-01-01T00:00:00Z',
        token: 'mine',
        emailKey: 'admin@people.test',
      }),
    );
    expect(body[1]).toBe(true);
    expect(body[0].createdAt).not.toMatch(/^2000/);
    expect(body[0].token).not.toBe('mine');
    const [row] = await test.db.dataSource.query(`select * from users where id = $1`, [body[0].id]);
    expect(row).toMatchObject({
      passwordHash: null,
      bannedAt: null,
      deletedAt: null,
      emailKey: body[0].email,
    });
  });
});

describe('lists of people', () => {
  it('hold 100 at most, however many are asked for', async () => {
    const url = `/api/platform/${world.platformId()}/admins`;
    for (const [asked, limit] of [
      [99, 99],
      [100, 100],
      [101, 100],
      [2147483647, 100],
    ]) {
      expect((await world.as('free').get(`${url}?limit=${asked}`)).body.limit).toBe(limit);
    }
    await test.db.dataSource.query(
      `insert into users ("PlatformId", name, "nameKey", role)
       select $1, 'Crowd', 'crowd', 'free' from generate_series(1, 101)`,
      [world.platformId()],
    );
    const found = await world.as('free').get('/api/users/lookup?q=crowd&limit=500');
    expect(found.body.items).toHaveLength(100);
    await test.db.dataSource.query(`delete from users where name = 'Crowd'`);
    expect((await world.as('free').get('/api/users/lookup?q=%20')).status).toBe(400);
  });
});

describe('POST /api/user updates', () => {
  it('[user with Groups, false], keeping what is left out', async () => {
    const created = (
      await save(
        newcomer({
          notes: 'Stays.',
          photoUrl: 'https://example.org/a.jpg',
          GroupIds: [groups[2]],
          AccessTagIds: [tags[0]],
        }),
      )
    ).body[0];
    const { token, ...before } = created;
    const answer = await save({ id: created.id, name: 'Renamed' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        ...before,
        name: 'Renamed',
        updatedAt: expect.any(String),
        Groups: [{ id: groups[2], name: 'Cooks' }],
      },
      false,
    ]);
    expect((await meOf(token)).AccessTags).toEqual([{ id: tags[0], title: 'early' }]);
  });

  it('null clears what may be empty', async () => {
    const { id } = (
      await save(
        newcomer({
          notes: 'x',
          photoUrl: 'https://example.org/a.jpg',
          bannerImageUrl: 'https://example.org/b.jpg',
        }),
      )
    ).body[0];
    const { body } = await save({ id, notes: null, photoUrl: null, bannerImageUrl: null });
    expect(body[0]).toMatchObject({ notes: null, photoUrl: null, bannerImageUrl: null });
  });

  it('GroupIds and AccessTagIds replace, empty arrays included; a role in a group that stays is kept', async () => {
    const created = (await save(newcomer({ GroupIds: [groups[0], groups[1]], AccessTagIds: tags }))).body[0];
    await test.db.dataSource.query(
      `update group_members set role = 'moderator' where "UserId" = $1 and "GroupId" = $2`,
      [created.id, groups[1]],
    );
    const before = await memberCounts();
    const replaced = await save({
      id: created.id,
      GroupIds: [groups[1], groups[2], groups[2]],
      AccessTagIds: [tags[1]],
    });
    expect(names(replaced.body[0].Groups)).toEqual(['Crew', 'Cooks']);
    expect((await meOf(created.token)).AccessTags).toEqual([{ id: tags[1], title: 'late' }]);
    const [{ role }] = await test.db.dataSource.query(
      `select role from group_members where "UserId" = $1 and "GroupId" = $2`,
      [created.id, groups[1]],
    );
    expect(role).toBe('moderator');
    const [first = 0, second = 0, third = 0] = before;
    expect(await memberCounts()).toEqual([first - 1, second, third + 1]);
    const emptied = await save({ id: created.id, GroupIds: [], AccessTagIds: [] });
    expect(emptied.body[0].Groups).toEqual([]);
    expect(await meOf(created.token)).toMatchObject({ Groups: [], AccessTags: [] });
    expect(await memberCounts()).toEqual([first - 1, second - 1, third]);
  });

  it('ends that are still to come stay, and what has ended begins anew', async () => {
    const [lasting, over] = ['2030-01-01T00:00:00.000Z', test.clock.now().toISOString()];
    const { id, token } = (await save(newcomer())).body[0];
    for (const [index, expiresAt] of [lasting, over].entries()) {
      await world.as('admin').post(`/api/group/${groups[index]}/members`, { userIds: [id], expiresAt });
      await world.as('admin').post(`/api/access-tag/${tags[index]}/users`, { userIds: [id], expiresAt });
    }
    expect(await meOf(token)).toMatchObject({ Groups: [{ id: groups[0] }], AccessTags: [{ id: tags[0] }] });
    await save({ id, GroupIds: [groups[0], groups[1]], AccessTagIds: tags });
    expect(await meOf(token)).toMatchObject({
      Groups: [{ id: groups[0] }, { id: groups[1] }],
      AccessTags: [{ id: tags[0] }, { id: tags[1] }],
    });
    for (const [table, linked] of [
      ['group_members', 'GroupId'],
      ['user_access_tags', 'AccessTagId'],
    ]) {
      const rows = await test.db.dataSource.query(
        `select "expiresAt" from ${table} where "UserId" = $1 order by "${linked}"`,
        [id],
      );
      expect(rows).toEqual([{ expiresAt: new Date(lasting) }, { expiresAt: null }]);
    }
  });

  it('a password on update is ignored', async () => {
    const { id, email } = (await save(newcomer({ password: 'correct horse battery' }))).body[0];
    for (const password of ['another long password', 'short', '']) {
      expect((await save({ id, password })).status).toBe(200);
    }
    const signIn = (password: string): Promise<Answer> =>
      world.anonymous().post('/api/user/signin', { email, password, PlatformId: world.platformId() });
    expect((await signIn('another long password')).status).toBe(401);
    expect((await signIn('correct horse battery')).status).toBe(200);
  });

  it('an admin changes an address, which frees the old one', async () => {
    const one = (await save(newcomer())).body[0];
    const moved = await save({ id: one.id, email: ' Moved@People.test ' });
    expect(moved.body[0].email).toBe('Moved@People.test');
    expect((await save(newcomer({ email: one.email }))).status).toBe(200);
    const taken = await save({ id: one.id, email: one.email });
    expect(taken).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'email', issue: 'taken' }] } },
    });
    expect((await save({ id: one.id, email: 'MOVED@people.test' })).body[0].email).toBe('MOVED@people.test');
  });

  it('members change themself, and may send privileged fields as they are', async () => {
    const { id, email, role, status, PlatformId } = world.user('free');
    const answer = await save(
      {
        id,
        name: 'Freed',
        notes: 'Hi',
        photoUrl: 'https://example.org/me.jpg',
        email: email?.toUpperCase(),
        role,
        status,
        PlatformId,
        GroupIds: [],
        AccessTagIds: [],
      },
      'free',
    );
    expect(answer.body).toMatchObject([{ id, name: 'Freed', notes: 'Hi', email, role, Groups: [] }, false]);
  });

  it('a member sends back the groups that a tag gives them', async () => {
    const skippers = (await world.group({ name: 'By tag', AccessTagIds: [tags[0]] })).id;
    const created = (await save(newcomer({ AccessTagIds: [tags[0]], GroupIds: [groups[0]] }))).body[0];
    const own = test.client({ authorization: `Bearer ${created.token}` });
    const { Groups, AccessTags } = (await own.get('/api/user/me')).body;
    expect(Groups.map(({ id }: { id: number }) => id)).toContain(skippers);
    const ids = (records: { id: number }[]): number[] => records.map(({ id }) => id).toReversed();
    const answer = await own.post('/api/user', {
      id: created.id,
      name: 'Same',
      GroupIds: ids(Groups),
      AccessTagIds: ids(AccessTags),
    });
    expect(answer).toMatchObject({ status: 200, body: [{ name: 'Same' }, false] });
  });
});

describe('U14 no answer holds a password or its hash', () => {
  it('whoever asks', async () => {
    const created = await save(newcomer({ password: 'correct horse battery' }));
    const { id, email, token } = created.body[0];
    const own = test.client({ authorization: `Bearer ${token}` });
    const answers = [
      created,
      await save({ id, name: 'x', password: 'another long password' }),
      await own.get('/api/user/me'),
      await own.post('/api/user', { id, name: 'y' }),
      await world.anonymous().post('/api/user/signin', {
        email,
        password: 'correct horse battery',
        PlatformId: world.platformId(),
      }),
      await world
        .anonymous()
        .post(
          '/api/auth/token-for-email',
          { email, platformId: world.platformId() },
          { 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' },
        ),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/argon2|correct horse|another long|passwordHash|"password"|emailKey/i);
    }
  });
});

describe('DELETE /api/user/{id}', () => {
  it('takes what is personal, and leaves what they wrote to a nameless author', async () => {
    const created = (
      await save(
        newcomer({
          email: 'leaving@people.test',
          name: 'Leaving',
          notes: 'x',
          photoUrl: 'https://example.org/l.jpg',
          GroupIds: [groups[0]],
          AccessTagIds: [tags[0]],
          password: 'correct horse battery',
        }),
      )
    ).body[0];
    const own = test.client({ authorization: `Bearer ${created.token}` });
    const { id: contentId } = await world.content();
    const comment = (await own.post('/api/chat', { contentId, message: '<p>Stays</p>' })).body[0];
    const before = await memberCounts();

    const answer = await own.delete(`/api/user/${created.id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'User deleted.', id: String(created.id) });

    expect((await own.get('/api/user/me')).status).toBe(401);
    const { body } = await world.anonymous().get(`/api/chat?contentId=${contentId}`);
    expect(body.items).toMatchObject([
      {
        id: comment.id,
        message: '<p>Stays</p>',
        User: { id: created.id, name: 'Deleted user', photoUrl: null },
      },
    ]);
    const [row] = await test.db.dataSource.query(`select * from users where id = $1`, [created.id]);
    expect(row).toMatchObject({
      email: null,
      emailKey: null,
      name: 'Deleted user',
      notes: null,
      photoUrl: null,
      passwordHash: null,
    });
    const [{ rest }] = await test.db.dataSource.query(
      `select (select count(*) from group_members where "UserId" = $1) + (select count(*) from user_access_tags where "UserId" = $1)
            + (select count(*) from sessions where "UserId" = $1 and "endedAt" is null) as rest`,
      [created.id],
    );
    expect(Number(rest)).toBe(0);
    expect((await memberCounts())[0]).toBe((before[0] ?? 0) - 1);
    expect((await save(newcomer({ email: 'leaving@people.test' }))).status).toBe(200);
  });

  it('leaves their groups to another owner', async () => {
    const { id: heir } = world.user('otherCreator');
    const leaver = (await save(newcomer({ role: 'creator' }))).body[0];
    const own = test.client({ authorization: `Bearer ${leaver.token}` });
    const group = (await own.post('/api/group', { name: 'Left behind' })).body[0];
    await world.as('admin').post(`/api/group/${group.id}/members`, { userIds: [heir], role: 'owner' });
    expect((await own.delete(`/api/user/${leaver.id}`)).status).toBe(200);
    const { body } = await world.as('admin').get(`/api/group/${group.id}`);
    expect(body).toMatchObject({ UserId: heir, memberCount: 1 });
  });

  it('is an admin’s for everyone of the platform', async () => {
    const { id } = world.user('otherFree');
    expect((await world.as('admin').delete(`/api/user/${id}`)).body.id).toBe(String(id));
    expect((await world.as('admin').delete(`/api/user/${id}`)).status).toBe(404);
    expect((await save({ id, name: 'Ghost' })).status).toBe(404);
  });
});

describe('U11 the last admin', () => {
  const rounds = [1, 2, 3];
  it.each(rounds)('of two demotions at once one is refused (round %i)', async () => {
    const [one, other] = [world.user('admin', 'B').id, world.user('creator', 'B').id];
    await test.db.dataSource.query(`update users set role = 'admin' where id = any($1)`, [[one, other]]);
    const answers = await Promise.all([
      world.as('admin', 'B').post('/api/user', { id: one, role: 'free' }),
      world.as('creator', 'B').post('/api/user', { id: other, role: 'free' }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('LAST_ADMIN');
    const left = await test.db.dataSource.query(
      `select id from users where role = 'admin' and id = any($1)`,
      [[one, other]],
    );
    expect(left).toHaveLength(1);
  });

  it('nor do both go when one deletes themself while the other steps down', async () => {
    const [one, other] = [world.user('admin', 'B').id, world.user('creator', 'B').id];
    await test.db.dataSource.query(`update users set role = 'admin' where id = any($1)`, [[one, other]]);
    const answers = await Promise.all([
      world.as('admin', 'B').post('/api/user', { id: one, status: 'pending' }),
      world.as('creator', 'B').delete(`/api/user/${other}`),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('LAST_ADMIN');
  });
});
