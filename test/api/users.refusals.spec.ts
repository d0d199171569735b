import { PASSWORD, type Person, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const save = (body: unknown, person: Person = 'admin'): Promise<Answer> =>
  world.as(person).post('/api/user', body);
const newcomer = (values: object = {}): object => ({
  email: 'newcomer@people.test',
  name: 'Newcomer',
  role: 'free',
  PlatformId: world.platformId(),
  ...values,
});
const stored = (): Promise<unknown[]> =>
  test.db.dataSource.query(
    `select u.*, array(select "GroupId" from group_members m where m."UserId" = u.id order by 1) as groups,
            array(select "AccessTagId" from user_access_tags t where t."UserId" = u.id order by 1) as tags
       from users u order by id`,
  );

/** Refused as expected, and nobody has changed. */
async function expectRefused(attempt: () => Promise<Answer>, status: number, error: object): Promise<void> {
  const before = await stored();
  const answer = await attempt();
  expect(answer).toMatchObject({ status, body: { error: { status, ...error } } });
  expect(await stored()).toEqual(before);
}

describe('creating', () => {
  it.each(['creator', 'premium', 'basic', 'free'] as Person[])('U1 as %s → 403', async (person) => {
    await expectRefused(() => save(newcomer(), person), 403, { code: 'FORBIDDEN' });
    await expectRefused(() => save({}, person), 403, { code: 'FORBIDDEN' });
  });

  it('U1 without a token, pending or banned → 401 and 403', async () => {
    expect((await world.anonymous().post('/api/user', newcomer())).status).toBe(401);
    await expectRefused(() => save(newcomer(), 'pending'), 401, { code: 'EMAIL_NOT_VERIFIED' });
    await expectRefused(() => save(newcomer(), 'banned'), 403, { code: 'BANNED' });
  });

  it('U4 on another platform → 403, whether it exists or not', async () => {
    for (const PlatformId of [world.platformId('B'), 2_147_483_647]) {
      await expectRefused(() => save(newcomer({ PlatformId })), 403, { code: 'FORBIDDEN' });
    }
  });

  it.each(['email', 'name', 'role', 'PlatformId'])('without %s → 400', async (field) => {
    await expectRefused(() => save(newcomer({ [field]: undefined })), 400, {
      code: 'VALIDATION_ERROR',
      details: [{ field, issue: `${field} is required` }],
    });
  });

  it('without anything names all four', async () => {
    const { body } = await save({});
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'name',
      'role',
      'PlatformId',
    ]);
  });

  it('U6 a taken address → 400 taken, however it is spelled', async () => {
    for (const email of [
      'free@people.test',
      'FREE@PEOPLE.TEST',
      ' free@people.test ',
      'ｆｒｅｅ@people.test',
    ]) {
      await expectRefused(() => save(newcomer({ email })), 400, {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'email', issue: 'taken' }],
      });
    }
  });

  it.each([
    ['too short', 'horse12', 'must have 8 to 128 characters'],
    ['too long', 'x1'.repeat(65), 'must have 8 to 128 characters'],
    ['the address', 'newcomer@people.test', 'must not be the e-mail address or name'],
    ['common', 'password123', 'is too common'],
  ])('a password that is %s → 400', async (_name, password, issue) => {
    await expectRefused(() => save(newcomer({ password })), 400, { details: [{ field: 'password', issue }] });
  });
});

describe('fields of the wrong kind', () => {
  const faults: [string, unknown][] = [
    ...['free', '', 'a@', '@b', 'a b@c.d', 5, null, {}, ['a@b.c'], 'a@b.c\n', 'x'.repeat(65) + '@b.c']
      .filter((value) => value !== 'a@b.c\n')
      .map((value): [string, unknown] => ['email', value]),
    ...['', '   ', 5, null, {}, 'x'.repeat(101), 'a\0b', '\ud800'].map((value): [string, unknown] => [
      'name',
      value,
    ]),
    ...['king', 'Admin', '', 5, null, ['admin'], 'superadmin'].map((value): [string, unknown] => [
      'role',
      value,
    ]),
    ...['banned', 'Active', '', 1, null].map((value): [string, unknown] => ['status', value]),
    ...['1', 0, -1, 1.5, 2_147_483_648, null, {}].map((value): [string, unknown] => ['PlatformId', value]),
    ...['1', [1], 0, 1.5, {}, 2_147_483_648, true].map((value): [string, unknown] => ['id', value]),
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//example.org/x',
      '/x.jpg',
      'ftp://example.org/x',
      'https://',
      'https://user:pw@example.org/x',
      5,
      {},
      `https://example.org/${'x'.repeat(2100)}`,
    ].flatMap((value): [string, unknown][] => [
      ['photoUrl', value],
      ['bannerImageUrl', value],
    ]),
    ...[5, {}, 'x'.repeat(10_001), 'a\0b'].map((value): [string, unknown] => ['notes', value]),
    ...[
      '1',
      [0],
      ['1'],
      [1.5],
      [null],
      {},
      null,
      5,
      Array.from({ length: 501 }, (_, index) => index + 1),
    ].flatMap((value): [string, unknown][] => [
      ['GroupIds', value],
      ['AccessTagIds', value],
    ]),
    ...[5, {}, null].map((value): [string, unknown] => ['password', value]),
  ];
  it.each(faults)('U10 %s %j → 400', async (field, value) => {
    const answer = await save(newcomer({ [field]: value }));
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0].field.split('.')[0]).toBe(field);
  });

  it('U8 prototypes in the body → 400', async () => {
    await expectRefused(() => save('{"__proto__": {"role": "admin"}, "name": "x"}', 'free'), 400, {
      details: [{ field: 'body' }],
    });
    await expectRefused(
      () => save(`{"id": ${world.user('free').id}, "constructor": {"prototype": {"role": "admin"}}}`, 'free'),
      400,
      {},
    );
  });

  it('leaves nobody behind', async () => {
    const [{ count }] = await test.db.dataSource.query(
      `select count(*)::int as count from users where email = 'newcomer@people.test'`,
    );
    expect(count).toBe(0);
  });
});

describe('foreign groups and tags', () => {
  it('U5 unknown ones and those of another platform → 400 naming each, nothing saved', async () => {
    const foreign = (await world.group({ name: 'Of B' }, 'B')).id;
    const own = (await world.group({ name: 'Of A' })).id;
    const [{ id: foreignTag }] = await test.db.dataSource.query(
      `insert into access_tags ("PlatformId", title) values ($1, 'foreign') returning id`,
      [world.platformId('B')],
    );
    const ids = { GroupIds: [own, foreign, 2_000_000_000], AccessTagIds: [foreignTag] };
    const details = [
      { field: 'GroupIds', issue: `unknown id ${foreign}` },
      { field: 'GroupIds', issue: 'unknown id 2000000000' },
      { field: 'AccessTagIds', issue: `unknown id ${foreignTag}` },
    ];
    await expectRefused(() => save(newcomer(ids)), 400, { code: 'VALIDATION_ERROR', details });
    const { id } = world.user('basic');
    await expectRefused(() => save({ id, name: 'Not saved', ...ids }), 400, {
      code: 'VALIDATION_ERROR',
      details,
    });
  });
});

describe('changing others', () => {
  it.each(['creator', 'premium', 'free'] as Person[])(
    'U3 as %s → 403, also for ids that do not exist',
    async (person) => {
      for (const id of [
        world.user('otherFree').id,
        world.user('admin').id,
        world.user('free', 'B').id,
        2_000_000_000,
      ]) {
        await expectRefused(() => save({ id, name: 'Mine' }, person), 403, { code: 'FORBIDDEN' });
        await expectRefused(() => world.as(person).delete(`/api/user/${id}`), 403, { code: 'FORBIDDEN' });
      }
    },
  );

  it('U4 an admin reaches nobody of another platform → 404', async () => {
    for (const id of [world.user('free', 'B').id, 2_000_000_000]) {
      await expectRefused(() => save({ id, name: 'Mine' }), 404, { code: 'NOT_FOUND' });
      await expectRefused(() => world.as('admin').delete(`/api/user/${id}`), 404, { code: 'NOT_FOUND' });
    }
  });

  it('U4 nor moves anybody to another platform → 403', async () => {
    const { id } = world.user('free');
    await expectRefused(() => save({ id, PlatformId: world.platformId('B') }), 403, { code: 'FORBIDDEN' });
  });
});

describe('changing what signs a user in', () => {
  it('U9 a password is ignored, whoever sends it and however weak', async () => {
    await world.givePassword('otherFree');
    const { id, email } = world.user('otherFree');
    const hash = (): Promise<unknown> =>
      test.db.dataSource.query(`select "passwordHash" from users where id = $1`, [id]);
    const before = await hash();
    for (const [person, password] of [
      ['otherFree', 'a chosen password'],
      ['admin', 'a chosen password'],
      ['admin', 'x'],
    ] as [Person, string][]) {
      const { status, body } = await save({ id, name: `Named by ${person}`, password }, person);
      expect([status, body[0].name]).toEqual([200, `Named by ${person}`]);
    }
    expect(await hash()).toEqual(before);
    const signIn = (password: string): Promise<Answer> =>
      world.anonymous().post('/api/user/signin', { email, password, PlatformId: world.platformId() });
    expect((await signIn('a chosen password')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('U12 another’s address is taken in every spelling, one’s own may be spelled anew', async () => {
    const { id } = world.user('basic');
    for (const email of [
      'Free@People.test',
      '\tfree@people.test ',
      'ｆｒｅｅ＠people.test',
      'free@ｐeople.test',
    ]) {
      await expectRefused(() => save({ id, email }), 400, {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'email' }],
      });
    }
    const kept = await save({ id, email: ' Ｂasic@People.test ' });
    expect(kept.body[0].email).toBe('Ｂasic@People.test');
    const [row] = await test.db.dataSource.query(`select "emailKey" from users where id = $1`, [id]);
    expect(row.emailKey).toBe('basic@people.test');
  });
});

describe('U2 self-promotion', () => {
  let groupId: number;
  let tagId: number;
  beforeAll(async () => {
    groupId = (await world.group({ name: 'Wanted' })).id;
    const [{ id }] = await test.db.dataSource.query(
      `insert into access_tags ("PlatformId", title) values ($1, 'wanted') returning id`,
      [world.platformId()],
    );
    tagId = id;
  });

  const fields: [string, () => unknown][] = [
    ['role', () => 'admin'],
    ['role', () => 'creator'],
    ['role', () => 'basic'],
    ['status', () => 'pending'],
    ['PlatformId', () => world.platformId('B')],
    ['PlatformId', () => 2_000_000_000],
    ['GroupIds', () => [groupId]],
    ['AccessTagIds', () => [tagId]],
    ['email', () => 'other@people.test'],
  ];
  it.each(fields)('by %s → 403 ROLE_FORBIDDEN, and nothing else is saved either', async (field, value) => {
    for (const person of ['free', 'premium'] as Person[]) {
      if (field === 'role' && value() === world.user(person).role) continue;
      const { id } = world.user(person);
      await expectRefused(() => save({ id, name: 'Sneaky', [field]: value() }, person), 403, {
        code: 'ROLE_FORBIDDEN',
        details: [{ field, issue: 'only admins change it' }],
      });
    }
  });

  it('of a creator, too', async () => {
    const { id } = world.user('creator');
    await expectRefused(() => save({ id, role: 'admin' }, 'creator'), 403, { code: 'ROLE_FORBIDDEN' });
  });

  it('by leaving a group or dropping a tag through this route', async () => {
    const { id } = world.user('basic');
    expect((await save({ id, GroupIds: [groupId], AccessTagIds: [tagId] })).status).toBe(200);
    await expectRefused(() => save({ id, GroupIds: [], AccessTagIds: [] }, 'basic'), 403, {
      code: 'ROLE_FORBIDDEN',
      details: [{ field: 'GroupIds' }, { field: 'AccessTagIds' }],
    });
  });

  it('by an admin who lifts a ban from a group, or takes its last owner away, by GroupIds', async () => {
    const { id } = world.user('otherFree');
    const barred = await world.group();
    const owned = await world.group();
    const shared = await world.group();
    await world.join(barred.id, 'otherFree', 'member', 'banned');
    await world.join(owned.id, 'otherFree', 'owner');
    await world.join(shared.id, 'otherFree', 'owner');
    await test.db.dataSource.query(`delete from group_members where "GroupId" = $1 and "UserId" <> $2`, [
      owned.id,
      id,
    ]);
    await expectRefused(() => save({ id, name: 'X', GroupIds: [barred.id], AccessTagIds: [] }), 400, {
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'GroupIds', issue: `the user is banned from group ${barred.id}` },
        { field: 'GroupIds', issue: `group ${owned.id} would be left without an owner` },
      ],
    });
    await expectRefused(() => save({ id, GroupIds: [owned.id, barred.id] }), 400, {
      details: [{ field: 'GroupIds', issue: `the user is banned from group ${barred.id}` }],
    });
    expect((await save({ id, GroupIds: [owned.id] })).body[0].Groups).toEqual([
      { id: owned.id, name: owned.name },
    ]);
    const rows = await test.db.dataSource.query(
      `select "GroupId", role, status from group_members where "UserId" = $1 order by 1`,
      [id],
    );
    expect(rows).toEqual([
      { GroupId: barred.id, role: 'member', status: 'banned' },
      { GroupId: owned.id, role: 'owner', status: 'active' },
    ]);
  });

  it('by admins who take both owners of a group away at once', async () => {
    const group = await world.groupOf({ premium: 'owner', otherCreator: 'owner' });
    await world.as('admin').post(`/api/group/${group.id}/leave`);
    const answers = await Promise.all(
      (['premium', 'otherCreator'] as const).map((person) =>
        save({ id: world.user(person).id, GroupIds: [] }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const owners = await test.db.dataSource.query(
      `select count(*)::int as count from group_members where "GroupId" = $1 and role = 'owner'`,
      [group.id],
    );
    expect(owners).toEqual([{ count: 1 }]);
  });

  it('U7 by fields that no request has is ignored', async () => {
    const { id } = world.user('free');
    const answer = await save(
      {
        id,
        name: 'Plain',
        bannedAt: null,
        deletedAt: null,
        passwordHash: 'x',
        emailKey: 'admin@people.test',
        isAdmin: true,
        Groups: [{ id: groupId }],
        memberships: [groupId],
      },
      'free',
    );
    expect(answer).toMatchObject({
      status: 200,
      body: [{ id, name: 'Plain', role: 'free', Groups: [] }, false],
    });
    const [row] = await test.db.dataSource.query(
      `select "passwordHash", "emailKey" from users where id = $1`,
      [id],
    );
    expect(row).toEqual({ passwordHash: null, emailKey: 'free@people.test' });
  });
});

describe('U11 the last admin', () => {
  it('cannot be demoted, made pending or deleted', async () => {
    const { id } = world.user('admin');
    for (const role of ['free', 'basic', 'premium', 'creator']) {
      await expectRefused(() => save({ id, role }), 400, { code: 'LAST_ADMIN' });
    }
    await expectRefused(() => save({ id, status: 'pending' }), 400, { code: 'LAST_ADMIN' });
    await expectRefused(() => world.as('admin').delete(`/api/user/${id}`), 400, { code: 'LAST_ADMIN' });
    expect((await save({ id, role: 'admin', status: 'active', name: 'Still admin' })).status).toBe(200);
  });

  it('is the last one beside admins who are pending or banned', async () => {
    const [pending, banned] = [world.user('pending').id, world.user('banned').id];
    await test.db.dataSource.query(`update users set role = 'admin' where id = any($1)`, [[pending, banned]]);
    const { id } = world.user('admin');
    await expectRefused(() => save({ id, role: 'free' }), 400, { code: 'LAST_ADMIN' });
    await expectRefused(() => world.as('admin').delete(`/api/user/${id}`), 400, { code: 'LAST_ADMIN' });
    expect((await save({ id: pending, role: 'free' })).status).toBe(200);
    await test.db.dataSource.query(
      `update users set "bannedUntil" = now() - interval '1 minute' where id = $1`,
      [banned],
    );
    expect((await save({ id, role: 'creator' })).body).toMatchObject([{ id, role: 'creator' }, false]);
    await test.db.dataSource.query(`update users set role = 'admin' where id = $1`, [id]);
  });
});

describe('DELETE /api/user/{id}', () => {
  it.each(['abc', '1.5', '-1', '1e3', '%20', '0x10'])('%s → 400', async (id) => {
    const answer = await world.as('admin').delete(`/api/user/${id}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field: 'id' }] } } });
  });

  it.each(['0', '2147483648', '99999999999999999999', '9'.repeat(40)])(
    '%s, which no user can have → 404',
    async (id) => {
      const answer = await world.as('admin').delete(`/api/user/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    },
  );

  it('without a token → 401', async () => {
    const { id } = world.user('free');
    await expectRefused(() => world.anonymous().delete(`/api/user/${id}`), 401, { code: 'UNAUTHORIZED' });
  });
});
