import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
const AT = ['2026-03-01T11:00:00.000Z', '2026-03-02T11:00:00.000Z', '2026-03-02T23:30:00.000Z'] as const;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  await test.db.dataSource.query(`update platforms set timezone = 'Asia/Tokyo' where id = $1`, [
    world.platformId(),
  ]);
  const rows = [
    [AT[2], 'admin', 'group.delete', 'group', '7'],
    [AT[0], 'admin', 'user.ban', 'user', '12'],
    [AT[1], 'creator', 'user.ban', 'user', '7'],
    [AT[1], 'admin', 'group-member.add', 'group-member', '7/12'],
  ] as const;
  for (const [at, person, ...what] of rows) {
    await test.db.dataSource.query(
      `insert into audit_log (at, "PlatformId", "ActorId", action, "targetType", "targetId")
       values ($1, $2, $3, $4, $5, $6)`,
      [at, world.platformId(), world.user(person).id, ...what],
    );
  }
});
afterAll(() => test.stop());

const list = (query: string): Promise<Answer> => world.as('admin').get(`/api/admin/audit?${query}`);
const listed = async (filters: string, more = ''): Promise<unknown[]> => {
  const { status, body } = await list(
    `filters=${encodeURIComponent(`${filters},to:2026-03-31`)}&${more}&itemsPerPage=50`,
  );
  expect([status, body.totalItems]).toEqual([200, body.items.length]);
  return body.items.map(({ action, targetId }: any) => `${action} ${targetId}`);
};

it.each([
  ['from:2026-01-01', ['group.delete 7', 'group-member.add 7/12', 'user.ban 7', 'user.ban 12']],
  ['action:user.ban', ['user.ban 7', 'user.ban 12']],
  ['action:user', []],
  ['targetType:group-member', ['group-member.add 7/12']],
  ['from:2026-01-01,targetId:7', ['group.delete 7', 'user.ban 7']],
  ['targetType:user,targetId:7', ['user.ban 7']],
  [`from:${AT[1]}`, ['group.delete 7', 'group-member.add 7/12', 'user.ban 7']],
  // In the platform's zone, nine hours ahead.
  ['from:2026-03-03T08:30', ['group.delete 7']],
  ['from:2026-03-03T08:30:00.001', []],
])('filters %s', async (filters, found) => {
  expect(await listed(filters)).toEqual(found);
});

it('filters by who did it, and until when, which counts', async () => {
  const creator = world.user('creator').id;
  expect(await listed(`actorId:${creator}`)).toEqual(['user.ban 7']);
  const until = async (to: string): Promise<number> =>
    (await list(`filters=${encodeURIComponent(JSON.stringify({ from: '2026-01-01', to }))}`)).body.totalItems;
  expect([await until(AT[1]), await until('2026-03-02T10:59:59.999Z')]).toEqual([3, 1]);
});

it('sorts by time, and shows nothing of another platform', async () => {
  const all = await listed('from:2026-01-01');
  expect(await listed('from:2026-01-01', 'sort=at:desc')).toEqual(all);
  expect(await listed('from:2026-01-01', 'sort=at:asc')).toEqual(all.toReversed());
  const { body } = await world.as('admin', 'B').get('/api/admin/audit?filters=action:user.ban');
  expect(body.items).toEqual([]);
});

it.each([
  ['filters=fields:role', 'filters'],
  ['filters=ip:1.2.3.4', 'filters'],
  ['filters=actorId:me', 'filters'],
  ['filters=from:2026-02-30', 'filters'],
  ['filters=to:soon', 'filters'],
  ['filters=action:a,action:b', 'filters'],
  ['sort=action:asc', 'sort'],
  ['sort=at', 'sort'],
])('refuses %s', async (query, field) => {
  const { status, body } = await list(query);
  expect([status, body.error.details]).toEqual([400, [{ field, issue: expect.any(String) }]]);
});

it('costs the same statements with filters, and one more for the zone of their times', async () => {
  const cost = async (query: string): Promise<number> => (await test.queriesOf(() => list(query))).length;
  const plain = await cost('');
  expect(await cost('filters=action:user.ban,targetId:7')).toBe(plain);
  expect(await cost('filters=from:2026-01-01')).toBe(plain + 1);
});
