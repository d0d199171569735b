import { ACCESS_RULES, type AccessExplanationDto } from '../../src/content/explain/dto/content-access.dto';
import {
  AccessMatrix,
  expected,
  type Item,
  table,
  VIEWER_NAMES,
  VIEWERS,
  type ViewerName,
} from '../factories/access-matrix';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let matrix: AccessMatrix;
const ids = {} as Record<ViewerName, number>;

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  matrix = await AccessMatrix.create(test, world);
  for (const { id, name } of await query(`select id, name from users where email like '%@matrix.test'`)) {
    ids[name as ViewerName] = id;
  }
});
afterAll(() => test.stop());

const path = (id: number, userId?: number): string =>
  `/api/content/${id}/access${userId === undefined ? '' : `?userId=${userId}`}`;

const GATE = ['role', 'group', 'tag'];

/** What is wrong with the explanation in itself; of a sound one nothing. */
function faults(
  viewer: ViewerName,
  { canRead, canReact, canComment, ...body }: AccessExplanationDto,
): string[] {
  const facts: { platform: unknown; pending?: boolean; banned?: boolean } = VIEWERS[viewer];
  const passes = new Map(body.rules.map(({ rule, pass }) => [rule, pass]));
  const failing = body.rules.filter(({ pass }) => !pass).map(({ rule }) => rule);
  const mayWrite = canRead && facts.platform === 'A' && !facts.pending && !facts.banned;
  const stands = failing.filter((rule) => rule !== 'ban' && !(canRead && GATE.includes(rule)));
  const checks: Record<string, boolean> = {
    'names every rule once': body.rules.map(({ rule }) => rule).join() === ACCESS_RULES.join(),
    'was decided by a rule that says so': passes.get(body.decidedBy) === canRead,
    'has a rule in the way, or none': stands.length > 0 !== canRead,
    'opens a gate by an entry that passes':
      !canRead || !failing.some((rule) => GATE.includes(rule)) || GATE.includes(body.decidedBy),
    'has a detail for each rule': body.rules.every(({ detail }) => detail.length > 0),
    'unlocks nothing that is open': !canRead || body.unlock.length === 0,
    'lets react': canReact === mayWrite,
    'lets comment': canComment === mayWrite,
    'tells the ban': passes.get('ban') === !facts.banned,
  };
  return Object.keys(checks).filter((what) => !checks[what]);
}

/** What an explanation says of the item: as `expected()`, or what is wrong with it. */
function saying(viewer: ViewerName, { status, body }: Answer): string {
  if (status === 404) return 'absent';
  const wrong = status === 200 ? faults(viewer, body) : [`${status}`];
  if (wrong.length > 0) return `${wrong.join(', ')}: ${JSON.stringify(body)}`;
  return body.canRead ? 'full' : 'teaser';
}

/** Every gate while current, and a gated one in each other state. */
const sample = (): Item[] =>
  matrix.items.filter(({ state, gate }) => state === 'current' || gate === 'group');
const gated = (): Item[] => matrix.items.filter(({ gate }) => gate === 'group');

describe.each(VIEWER_NAMES)('%s', (viewer) => {
  const own = new Map<number, Answer>();
  const answered = (id: number): Answer => own.get(id) ?? { status: 0, headers: {}, body: {}, text: '' };

  it('is told what the rule says of every item', async () => {
    for (const { id } of sample()) own.set(id, await matrix.as(viewer).get(path(id)));
    const told = table(sample(), ({ id }) => saying(viewer, answered(id)));
    expect(told).toEqual(table(sample(), (one) => expected(one, viewer)));
  });

  it('is told that they may read what a route of the item answers', async () => {
    for (const { id, visibility, state } of gated()) {
      if (visibility === 'public' || visibility === 'hidden') continue;
      const { status } = await matrix.as(viewer).get(`/api/content/${id}/reactions`);
      const canRead = answered(id).body.canRead === true;
      expect([visibility, state, canRead]).toEqual([visibility, state, status === 200]);
    }
  });

  if (VIEWERS[viewer].platform !== 'A') return;

  it('may name themself, unless they have not verified their address, and are a visitor', async () => {
    const said = ({ status, body: { error, ...body } }: Answer): unknown => [status, error?.code, body];
    const pending = 'pending' in VIEWERS[viewer];
    for (const { id } of sample()) {
      const named = said(await matrix.as(viewer).get(path(id, ids[viewer])));
      expect(named).toEqual(pending ? [403, 'ROLE_FORBIDDEN', {}] : said(answered(id)));
    }
  });

  it('is what staff are told of them, and why where they find nothing', async () => {
    for (const one of gated().filter(({ state }) => state !== 'deleted')) {
      const { status, body } = await matrix.as('admin').get(path(one.id, ids[viewer]));
      const sight = expected(one, viewer);
      expect([one, status, faults(viewer, body), body.canRead]).toEqual([one, 200, [], sight === 'full']);
      if (sight === 'absent') continue;
      const { body: theirs } = answered(one.id);
      // Who has not verified their address is a visitor by their own token; staff learn that this is the reason.
      const unverified = 'pending' in VIEWERS[viewer] && !body.canRead;
      expect(unverified ? [theirs.decidedBy, body.decidedBy] : body).toEqual(
        unverified ? ['visibility', 'status'] : theirs,
      );
    }
  });
});

const item = (visibility: Item['visibility'], gate: Item['gate'], state: Item['state'] = 'current'): number =>
  matrix.items.find((one) => one.visibility === visibility && one.gate === gate && one.state === state)?.id ??
  0;

describe('decidedBy', () => {
  it.each([
    ['members', 'none', 'free', 'visibility'],
    ['members', 'none', 'anonymous', 'visibility'],
    ['members', 'none', 'memberElsewhere', 'platform'],
    ['public', 'premium', 'memberElsewhere', 'visibility'],
    ['hidden', 'none', 'anonymous', 'visibility'],
    ['private', 'none', 'author', 'visibility'],
    ['private', 'none', 'creator', 'role'],
    ['members', 'premium', 'free', 'role'],
    ['members', 'free', 'basic', 'role'],
    ['members', 'group', 'free', 'group'],
    ['members', 'group', 'groupMember', 'group'],
    ['members', 'ruleGroup', 'memberByRule', 'group'],
    ['members', 'tag', 'pastTagHolder', 'tag'],
    ['private', 'tag', 'tagHolder', 'tag'],
    ['members', 'any', 'tagHolder', 'tag'],
    ['members', 'any', 'free', 'role'],
    ['members', 'closed', 'groupMember', 'visibility'],
  ] as const)('%s behind %s for %s is %s', async (visibility, gate, viewer, decidedBy) => {
    expect((await matrix.as(viewer).get(path(item(visibility, gate)))).body.decidedBy).toBe(decidedBy);
  });

  it.each([
    ['future', 'free', 'published'],
    ['expired', 'groupMember', 'expired'],
    ['flagged', 'groupMember', 'status'],
    ['awaiting', 'premium', 'status'],
  ] as const)('%s for %s, asked by staff, is %s', async (state, viewer, decidedBy) => {
    const { body } = await matrix.as('creator').get(path(item('members', 'group', state), ids[viewer]));
    expect([body.canRead, body.decidedBy]).toEqual([false, decidedBy]);
  });
});

describe('unlock', () => {
  const unlock = async (client: ReturnType<World['as']>, id: number, userId?: number): Promise<unknown> =>
    (await client.get(path(id, userId))).body.unlock;

  it('answers all of a closed item', async () => {
    const { status, body } = await matrix.as('free').get(path(item('members', 'premium')));
    expect([status, body]).toEqual([
      200,
      {
        canRead: false,
        canComment: false,
        canReact: false,
        decidedBy: 'role',
        rules: [
          { rule: 'platform', pass: true, detail: expect.any(String) },
          { rule: 'status', pass: true, detail: expect.any(String) },
          { rule: 'deleted', pass: true, detail: expect.any(String) },
          { rule: 'published', pass: true, detail: expect.any(String) },
          { rule: 'expired', pass: true, detail: expect.any(String) },
          { rule: 'visibility', pass: true, detail: expect.any(String) },
          { rule: 'role', pass: false, detail: 'Asks for the role premium.' },
          { rule: 'group', pass: true, detail: 'Asks for no group.' },
          { rule: 'tag', pass: true, detail: 'Asks for no tag.' },
          { rule: 'ban', pass: true, detail: expect.any(String) },
        ],
        unlock: [{ type: 'role', label: 'premium' }],
      },
    ]);
  });

  it('names the groups that the viewer may know of, and to staff all', async () => {
    const groups: { id: number; name: string; visibility: string }[] = [];
    for (const visibility of ['public', 'members', 'private', 'hidden']) {
      groups.push({ ...(await world.group({ name: `The ${visibility}`, visibility })), visibility });
    }
    const { id } = await world.content({ visibility: 'members', GroupIds: groups.map((group) => group.id) });
    const named = (...visibilities: string[]): unknown[] =>
      groups
        .filter(({ visibility }) => visibilities.includes(visibility))
        .map((group) => ({ type: 'group', id: group.id, label: group.name }));
    const signIn = { type: 'signin', label: expect.any(String) };
    expect(await unlock(world.as('free'), id)).toEqual(named('public', 'members'));
    expect(await unlock(world.anonymous(), id)).toEqual([signIn, ...named('public')]);
    expect(await unlock(world.as('admin', 'B'), id)).toEqual([signIn, ...named('public')]);
    const all = named('public', 'members', 'private', 'hidden');
    expect(await unlock(world.as('creator'), id, world.user('free').id)).toEqual(all);
  });

  it('names access tags to staff, their authors and those who held them', async () => {
    const tag = async (values: object): Promise<number> =>
      (await world.as('admin').post('/api/access-tag', values)).body.id;
    const [secret, mine] = [
      await tag({ title: 'Secret patron' }),
      await tag({ title: 'Of the free', AuthorId: world.user('free').id }),
    ];
    const { id } = await world.content({ visibility: 'members', AccessTagIds: [secret, mine] });
    const entries = {
      secret: { type: 'tag', id: secret, label: 'Secret patron' },
      mine: { type: 'tag', id: mine, label: 'Of the free' },
    };
    await query(
      `insert into user_access_tags ("PlatformId", "UserId", "AccessTagId", "expiresAt") values ($1, $2, $3, '2020-01-01')`,
      [world.platformId(), world.user('basic').id, secret],
    );
    expect(await unlock(world.as('premium'), id)).toEqual([]);
    expect(await unlock(world.as('free'), id)).toEqual([entries.mine]);
    expect(await unlock(world.as('basic'), id)).toEqual([entries.secret]);
    const asked = await unlock(world.as('admin'), id, world.user('premium').id);
    expect(asked).toEqual([entries.secret, entries.mine]);
    const { text } = await world.as('premium').get(path(id));
    expect(text).not.toMatch(/patron|of the free/i);
  });

  it('tells the date to come, and nothing of what is over, held or shut', async () => {
    const asked = (id: number): Promise<unknown> => unlock(matrix.as('admin'), id, ids.free);
    const [{ at }] = await query(`select "publishedDate" as at from contents where id = $1`, [
      item('members', 'none', 'future'),
    ]);
    const date = { type: 'date', at: new Date(at).toISOString(), label: expect.any(String) };
    const club = { type: 'group', id: expect.any(Number), label: 'Club' };
    expect(await asked(item('members', 'none', 'future'))).toEqual([date]);
    expect(await asked(item('members', 'group', 'future'))).toEqual([date, club]);
    for (const id of [
      item('members', 'group', 'expired'),
      item('members', 'group', 'flagged'),
      item('members', 'closed'),
      item('private', 'none'),
    ]) {
      expect(await asked(id)).toEqual([]);
    }
  });
});

describe('canComment', () => {
  it('asks for an open conversation, canReact does not', async () => {
    const { id } = await world.content({ chatEnabled: false });
    const { body } = await world.as('free').get(path(id));
    expect(body).toMatchObject({ canRead: true, canComment: false, canReact: true });
    const banned = (await world.as('banned').get(path(id))).body;
    expect(banned).toMatchObject({ canRead: true, canComment: false, canReact: false });
    const past = await world.as('admin').get(path(id, world.user('banned').id));
    expect(past.body).toEqual(banned);
  });
});

it('costs four statements when staff ask for somebody, with who calls', async () => {
  const { id } = await world.content();
  const userId = world.user('free').id;
  expect(await test.queriesOf(() => world.as('admin').get(path(id, userId)))).toHaveLength(4);
});
