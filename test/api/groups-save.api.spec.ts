import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const save = (body: unknown, person: 'admin' | 'creator' | 'otherCreator' = 'creator'): Promise<Answer> =>
  world.as(person).post('/api/group', body);
const tag = async (title: string, platform: 'A' | 'B' = 'A'): Promise<number> => {
  const [{ id }] = await test.db.dataSource.query(
    `insert into access_tags ("PlatformId", title) values ($1, $2) returning id`,
    [world.platformId(platform), title],
  );
  return id;
};

describe('POST /api/group creates', () => {
  it('[group, true], its creator the owner and first member', async () => {
    const answer = await save({ name: '  Skippers ' });
    expect(answer.status).toBe(200);
    const [group, created] = answer.body;
    expect(created).toBe(true);
    const { id: UserId } = world.user('creator');
    expect(group).toEqual({
      id: expect.any(Number),
      name: 'Skippers',
      slug: 'skippers',
      description: null,
      PlatformId: world.platformId(),
      UserId,
      photoUrl: null,
      bannerImageUrl: null,
      visibility: 'members',
      joinPolicy: 'closed',
      postPolicy: 'members',
      AccessTagIds: [],
      position: expect.any(Number),
      memberCount: 1,
      archived: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
      myMembership: {
        UserId,
        GroupId: group.id,
        role: 'owner',
        status: 'active',
        source: 'manual',
        expiresAt: null,
        createdAt: expect.any(String),
      },
    });
  });

  it('with everything that may be said', async () => {
    const tags = [await tag('one'), await tag('two')];
    const values = {
      name: 'Crew',
      slug: 'the-crew',
      photoUrl: 'https://example.org/crew.jpg',
      bannerImageUrl: 'https://example.org/banner.jpg',
      visibility: 'hidden',
      joinPolicy: 'request',
      postPolicy: 'moderators',
      archived: true,
    };
    const description = '<h2>Us</h2><p onclick="x()">All <b>hands</b></p><script>alert(1)</script>';
    const [group] = (
      await save({ ...values, description, AccessTagIds: [tags[1], tags[0], tags[1]] }, 'admin')
    ).body;
    expect(group).toMatchObject({ ...values, AccessTagIds: tags, UserId: world.user('admin').id });
    expect(group.description).toBe('<h2>Us</h2><p>All <b>hands</b></p>');
  });

  it('each after the last, with a slug of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => save({ name: 'Équipe Å' })));
    const groups = answers.map(({ body }) => body[0]);
    const numbered = Array.from({ length: 9 }, (_, index) => `equipe-a-${index + 2}`);
    expect(new Set(groups.map(({ slug }) => slug))).toEqual(new Set(['equipe-a', ...numbered]));
    const later = (await save({ name: 'Later' })).body[0];
    expect(later.position).toBeGreaterThan(Math.max(...groups.map(({ position }) => position)));
    expect((await save({ name: '🦜' })).body[0].slug).toMatch(/^[a-z0-9-]+$/);
  });

  it('a slug may be the one of another platform’s group', async () => {
    expect((await save({ name: 'x', slug: 'shared' })).status).toBe(200);
    const other = await world.as('creator', 'B').post('/api/group', { name: 'x', slug: 'shared' });
    expect(other.body[0]).toMatchObject({ slug: 'shared', PlatformId: world.platformId('B') });
  });

  it('fields that a request does not have are ignored', async () => {
    const [group] = (
      await save({
        name: 'Plain',
        PlatformId: world.platformId('B'),
        UserId: world.user('free').id,
        memberCount: 99,
        position: 1,
      })
    ).body;
    expect(group).toMatchObject({
      PlatformId: world.platformId(),
      UserId: world.user('creator').id,
      memberCount: 1,
    });
  });
});

describe('POST /api/group edits', () => {
  it('[group, false], keeping what is left out', async () => {
    const tags = [await tag('kept')];
    const [before] = (
      await save({ name: 'Old', description: '<p>Stays</p>', joinPolicy: 'open', AccessTagIds: tags })
    ).body;
    const answer = await save({ id: before.id, name: 'New' });
    expect(answer.body).toEqual([{ ...before, name: 'New', updatedAt: expect.any(String) }, false]);
    expect(Date.parse(answer.body[0].updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
  });

  it('null clears, arrays replace', async () => {
    const [one, two] = [await tag('first'), await tag('second')];
    const [{ id }] = (
      await save({
        name: 'Full',
        description: '<p>x</p>',
        photoUrl: 'https://example.org/x.jpg',
        AccessTagIds: [one],
      })
    ).body;
    const [cleared] = (await save({ id, description: null, photoUrl: null, AccessTagIds: [two] })).body;
    expect(cleared).toMatchObject({ name: 'Full', description: null, photoUrl: null, AccessTagIds: [two] });
    expect((await save({ id, AccessTagIds: [] })).body[0].AccessTagIds).toEqual([]);
  });

  it('by an admin, who sees that they are no member', async () => {
    const [{ id }] = (await save({ name: 'Theirs' })).body;
    const answer = await save({ id, archived: true }, 'admin');
    expect(answer.body).toMatchObject([
      { id, archived: true, UserId: world.user('creator').id, myMembership: null },
      false,
    ]);
  });
});

describe('POST /api/group refuses', () => {
  it('everyone but creators and admins', async () => {
    for (const person of ['free', 'basic', 'premium'] as const) {
      const answer = await world.as(person).post('/api/group', { name: 'Mine' });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'ROLE_FORBIDDEN' } } });
    }
    expect((await world.anonymous().post('/api/group', { name: 'Mine' })).status).toBe(401);
  });

  it('a creator who is not the owner, whatever else is wrong', async () => {
    const [{ id }] = (await save({ name: 'Theirs' })).body;
    for (const body of [
      { id, name: 'Mine' },
      { id, AccessTagIds: [2_000_000_000] },
    ]) {
      const answer = await save(body, 'otherCreator');
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: 'Only its owners and admins change a group.' } },
      });
    }
    expect((await save({ id })).body[0].name).toBe('Theirs');
  });

  it('groups that are not there, or another platform’s: the same 404', async () => {
    const foreign = (await world.group({ name: 'Of B' }, 'B')).id;
    for (const id of [foreign, 2_000_000_000]) {
      for (const person of ['admin', 'creator'] as const) {
        const answer = await save({ id, name: 'Mine' }, person);
        expect(answer).toMatchObject({
          status: 404,
          body: { error: { code: 'NOT_FOUND', message: 'Not found.' } },
        });
      }
    }
  });

  it('tags that are not there, or another platform’s, naming each and saving nothing', async () => {
    const [own, foreign] = [await tag('own'), await tag('foreign', 'B')];
    const error = {
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'AccessTagIds', issue: `unknown id ${foreign}` },
        { field: 'AccessTagIds', issue: 'unknown id 2000000000' },
      ],
    };
    const AccessTagIds = [own, foreign, 2_000_000_000];
    expect(await save({ name: 'Never', AccessTagIds })).toMatchObject({ status: 400, body: { error } });
    const [{ count }] = await test.db.dataSource.query(
      `select count(*)::int as count from groups where name = 'Never'`,
    );
    expect(count).toBe(0);
    const [{ id }] = (await save({ name: 'Before', AccessTagIds: [own] })).body;
    expect(await save({ id, name: 'Never', AccessTagIds })).toMatchObject({ status: 400, body: { error } });
    expect((await save({ id })).body[0]).toMatchObject({ name: 'Before', AccessTagIds: [own] });
  });

  it('a slug that is taken, when creating and when editing', async () => {
    await save({ name: 'x', slug: 'mine' });
    const [{ id }] = (await save({ name: 'y' })).body;
    for (const body of [
      { name: 'z', slug: 'mine' },
      { id, slug: 'mine' },
    ]) {
      const answer = await save(body);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'slug', issue: 'taken' }] } },
      });
    }
  });

  const faults: [string, unknown][] = [
    ...[undefined, '', '  ', null, 5, 'x'.repeat(101), 'a\0'].map((value): [string, unknown] => [
      'name',
      value,
    ]),
    ...['', 'With Space', 'Ünï', 'a/b', 'x'.repeat(81), null, 5].map((value): [string, unknown] => [
      'slug',
      value,
    ]),
    ...[5, {}, 'ä'.repeat(102_401)].map((value): [string, unknown] => ['description', value]),
    ...['javascript:alert(1)', 'x', 5].map((value): [string, unknown] => ['photoUrl', value]),
    ...['data:text/html,x'].map((value): [string, unknown] => ['bannerImageUrl', value]),
    ...['secret', '', null, 1].map((value): [string, unknown] => ['visibility', value]),
    ...['anyone', null].map((value): [string, unknown] => ['joinPolicy', value]),
    ...['nobody', null].map((value): [string, unknown] => ['postPolicy', value]),
    ...['1', [0], ['1'], null].map((value): [string, unknown] => ['AccessTagIds', value]),
    ...['true', 1, null].map((value): [string, unknown] => ['archived', value]),
    ...['1', 0, -1, 2_147_483_648, 1.5, {}].map((value): [string, unknown] => ['id', value]),
  ];
  it.each(faults)('%s %j', async (field, value) => {
    const answer = await save({ name: 'Fine', [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0].field.split('.')[0]).toBe(field);
  });
});
