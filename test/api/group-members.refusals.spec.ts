import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
/** The creator's, with basic as moderator and premium as plain member. */
let id: number;
/** As that one, but only its members know of it. */
let secret: number;

const idOf = (person: Person, platform: 'A' | 'B' = 'A'): number => world.user(person, platform).id;

async function group(values: object): Promise<number> {
  const { body } = await world.as('creator').post('/api/group', { name: 'A group', ...values });
  expect(body).toEqual([expect.objectContaining(values), true]);
  const made = body[0].id;
  await world
    .as('creator')
    .post(`/api/group/${made}/members`, { userIds: [idOf('basic')], role: 'moderator' });
  await world.as('creator').post(`/api/group/${made}/members`, { userIds: [idOf('premium')] });
  return made;
}

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  id = await group({});
  secret = await group({ visibility: 'hidden', joinPolicy: 'open' });
});
afterAll(() => test.stop());

const codeOf = ({ status, body }: { status: number; body: any }): [number, string] => [
  status,
  body.error.code,
];
const state = (): Promise<unknown> =>
  test.db.dataSource.query('select "GroupId", "UserId", role, status from group_members order by 1, 2');

/** Every route below the group, as someone would call it. */
const calls = (client: ReturnType<World['as']>, of: number): Promise<any>[] => [
  client.get(`/api/group/${of}/members`),
  client.post(`/api/group/${of}/members`, { userIds: [idOf('free')] }),
  client.delete(`/api/group/${of}/members/${idOf('premium')}`),
  client.get(`/api/group/${of}/requests`),
  client.post(`/api/group/${of}/requests/${idOf('otherFree')}`, { decision: 'approve' }),
];

describe('who may not', () => {
  it('do anything: visitors and the pending', async () => {
    const before = await state();
    for (const call of [...calls(world.anonymous(), id), world.anonymous().post(`/api/group/${id}/join`)]) {
      expect(codeOf(await call)).toEqual([401, 'UNAUTHORIZED']);
    }
    for (const call of [
      ...calls(world.as('pending'), id),
      world.as('pending').post(`/api/group/${secret}/join`),
    ]) {
      expect(codeOf(await call)).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    }
    expect(await state()).toEqual(before);
  });

  it('see or change a group that is not theirs', async () => {
    const before = await state();
    for (const call of calls(world.as('free'), id)) expect(codeOf(await call)).toEqual([403, 'FORBIDDEN']);
    for (const call of calls(world.as('premium'), id).slice(1))
      expect(codeOf(await call)).toEqual([403, 'FORBIDDEN']);
    for (const call of calls(world.as('otherCreator'), id).slice(1))
      expect(codeOf(await call)).toEqual([403, 'FORBIDDEN']);
    expect((await world.as('otherCreator').get(`/api/group/${id}/members`)).status).toBe(200);
    expect(await state()).toEqual(before);
  });

  it('learn of a hidden group or one of another platform', async () => {
    const before = await state();
    for (const [client, of] of [
      [world.as('free'), secret],
      [world.as('admin', 'B'), id],
      [world.as('admin'), 999_999],
    ] as const) {
      for (const call of [
        ...calls(client, of),
        client.post(`/api/group/${of}/join`),
        client.post(`/api/group/${of}/leave`),
      ]) {
        expect(codeOf(await call)).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect(await state()).toEqual(before);
  });

  it('write: the banned', async () => {
    for (const call of [...calls(world.as('banned'), id).filter((_, index) => ![0, 3].includes(index))]) {
      expect(codeOf(await call)).toEqual([403, 'BANNED']);
    }
    expect(codeOf(await world.as('banned').post(`/api/group/${id}/join`))).toEqual([403, 'BANNED']);
  });
});

describe('adding and removing members', () => {
  it('gives moderators no power over moderators and owners', async () => {
    const before = await state();
    const add = (userIds: number[], values: object = {}) =>
      world.as('basic').post(`/api/group/${id}/members`, { userIds, ...values });
    for (const answer of [
      await add([idOf('basic')], { role: 'owner' }),
      await add([idOf('free')], { role: 'moderator' }),
      await add([idOf('creator')], { role: 'member' }),
      await add([idOf('free'), idOf('creator')], { expiresAt: '2000-01-01T00:00:00Z' }),
      await world.as('basic').delete(`/api/group/${id}/members/${idOf('creator')}`),
      await world.as('basic').delete(`/api/group/${id}/members/${idOf('basic')}`),
    ]) {
      expect(codeOf(answer)).toEqual([403, 'FORBIDDEN']);
    }
    expect(await state()).toEqual(before);
  });

  it('never leaves a group without an owner', async () => {
    const before = await state();
    for (const answer of [
      await world.as('creator').post(`/api/group/${id}/leave`),
      await world
        .as('creator')
        .post(`/api/group/${id}/members`, { userIds: [idOf('creator')], role: 'member' }),
      await world.as('admin').delete(`/api/group/${id}/members/${idOf('creator')}`),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'CONFLICT']);
    }
    const answer = await world
      .as('admin')
      .post(`/api/group/${id}/members`, { userIds: [idOf('creator')], expiresAt: '2098-01-01T00:00:00Z' });
    expect(answer.body.error.details).toEqual([{ field: 'expiresAt', issue: 'owners have no end' }]);
    expect(await state()).toEqual(before);
  });

  it('refuses users that are none of the platform, all named, and adds nobody', async () => {
    const before = await state();
    const theirs = idOf('free', 'B');
    const { status, body } = await world
      .as('creator')
      .post(`/api/group/${id}/members`, { userIds: [idOf('free'), theirs, 999_999] });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { field: 'userIds', issue: `unknown id ${theirs}` },
      { field: 'userIds', issue: 'unknown id 999999' },
    ]);
    expect(await state()).toEqual(before);
  });

  it.each<[string, object]>([
    ['nobody', {}],
    ['one id', { userIds: 1 }],
    ['ids as text', { userIds: ['1'] }],
    ['an id that none can have', { userIds: [0] }],
    ['an unknown role', { userIds: [1], role: 'admin' }],
    ['no role', { userIds: [1], role: null }],
    ['an end that is no date', { userIds: [1], expiresAt: '2026-02-30' }],
  ])('refuses %s', async (_, sent) => {
    expect(codeOf(await world.as('creator').post(`/api/group/${id}/members`, sent))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it.each(['sort=email:asc', 'filters=status:banned', 'filters=role:admin', 'itemsPerPage=0'])(
    'refuses the list with %s',
    async (query) => {
      expect(codeOf(await world.as('creator').get(`/api/group/${id}/members?${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    },
  );

  it('has digits in its paths', async () => {
    expect((await world.as('creator').delete(`/api/group/${id}/members/me`)).status).toBe(400);
    expect((await world.as('creator').delete(`/api/group/${id}/members/999999`)).status).toBe(404);
    expect((await world.as('creator').get('/api/group/x/members')).status).toBe(400);
  });
});

describe('joining', () => {
  it('a closed or archived group is refused', async () => {
    expect(codeOf(await world.as('free').post(`/api/group/${id}/join`))).toEqual([403, 'FORBIDDEN']);
    const archived = await group({ joinPolicy: 'open', archived: true });
    expect(codeOf(await world.as('free').post(`/api/group/${archived}/join`))).toEqual([403, 'FORBIDDEN']);
  });

  it('is refused to those who are banned from the group, who cannot leave it either', async () => {
    const open = await group({ joinPolicy: 'open' });
    await test.db.dataSource.query(
      `update group_members set status = 'banned' where "GroupId" = $1 and "UserId" = $2`,
      [open, idOf('premium')],
    );
    expect(codeOf(await world.as('premium').post(`/api/group/${open}/join`))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await world.as('premium').post(`/api/group/${open}/leave`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await world.as('premium').get(`/api/group/${open}/members`))).toEqual([403, 'FORBIDDEN']);
  });

  it('refuses a reason that is too long or no text', async () => {
    for (const reason of ['x'.repeat(1001), 7]) {
      expect(codeOf(await world.as('free').post(`/api/group/${id}/join`, { reason }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    }
  });

  it('refuses decisions that are none, and on requests that are none', async () => {
    const path = `/api/group/${id}/requests/${idOf('premium')}`;
    for (const decision of [undefined, 'maybe', true]) {
      expect(codeOf(await world.as('creator').post(path, { decision }))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(codeOf(await world.as('creator').post(path, { decision: 'reject' }))).toEqual([404, 'NOT_FOUND']);
    expect((await world.as('premium').get(`/api/group/${id}`)).body.myMembership.status).toBe('active');
  });
});
