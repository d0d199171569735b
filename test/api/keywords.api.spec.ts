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

const save = (body: unknown, person: 'admin' | 'creator' = 'creator'): Promise<Answer> =>
  world.as(person).post('/api/keyword', body);

describe('POST /api/keyword', () => {
  it('creates [keyword, true]', async () => {
    const answer = await save({ title: '  Navigation ', description: 'Charts and stars.' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id: expect.any(Number),
        title: 'Navigation',
        slug: 'navigation',
        PlatformId: world.platformId(),
        description: 'Charts and stars.',
        contentCount: 0,
      },
      true,
    ]);
  });

  it.each([
    ['Ölzeug', ['ölzeug', 'OLZEUG', ' Olzeug ', 'O\u0308lzeug']],
    ['Straße', ['STRASSE', 'strasse']],
    ['Πλοίο', ['πλοιο', 'ΠΛΟΙΟ']],
    ['Парус', ['ПАРУС']],
    ['帆船', ['帆船']],
    ['Two  words', ['two words']],
  ])('answers the existing one for a title equal to %s', async (title, equal) => {
    const [first] = (await save({ title, description: 'First.' })).body;
    for (const other of equal) {
      const answer = await save({ title: other, description: 'Second.' }, 'admin');
      expect(answer.body).toEqual([first, false]);
    }
  });

  it('makes one row of 20 equal titles at once', async () => {
    const spellings = ['Régate', 'regate', 'RÉGATE', ' Regaté '];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => save({ title: spellings[index % spellings.length] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body[0].id)).size).toBe(1);
    expect(answers.filter(({ body }) => body[1])).toHaveLength(1);
    const [{ count }] = await test.db.dataSource.query(
      `select count(*)::int as count from keywords where "titleKey" = 'regate'`,
    );
    expect(count).toBe(1);
  });

  it('gives different titles of one spelling slugs of their own', async () => {
    const answers = await Promise.all(['C', 'C++', 'C#', 'C!'].map((title) => save({ title })));
    expect(answers.every(({ body }) => body[1])).toBe(true);
    expect(new Set(answers.map(({ body }) => body[0].slug))).toEqual(new Set(['c', 'c-2', 'c-3', 'c-4']));
    expect((await save({ title: '🦜' })).body[0].slug).toMatch(/^[a-z0-9-]+$/);
  });

  it('keeps platforms apart', async () => {
    const [here] = (await save({ title: 'Shared' })).body;
    const there = await world.as('creator', 'B').post('/api/keyword', { title: 'Shared' });
    expect(there.body).toMatchObject([{ PlatformId: world.platformId('B'), slug: 'shared' }, true]);
    expect(there.body[0].id).not.toBe(here.id);
  });

  it('counts the contents that carry it', async () => {
    const [{ id }] = (await save({ title: 'Counted' })).body;
    const one = await world.content({ KeywordIds: [id] });
    await world.content({ KeywordIds: [id] });
    expect((await save({ title: 'counted' })).body).toMatchObject([{ id, contentCount: 2 }, false]);
    await world.as('creator').delete(`/api/content/${one.id}`);
    expect((await save({ title: 'counted' })).body[0].contentCount).toBe(1);
  });

  it('edits [keyword, false], keeping what is left out; the slug is stable', async () => {
    const [before] = (await save({ title: 'Old title', description: 'Stays.' })).body;
    const renamed = await save({ id: before.id, title: 'New title' });
    expect(renamed.body).toEqual([{ ...before, title: 'New title' }, false]);
    expect((await save({ id: before.id, title: 'NEW title' })).body[0].title).toBe('NEW title');
    expect((await save({ id: before.id, description: null })).body[0]).toMatchObject({
      title: 'NEW title',
      description: null,
    });
    expect((await save({ title: 'old title' })).body[1]).toBe(true);
  });

  it('refuses everyone but creators and admins', async () => {
    for (const person of ['free', 'basic', 'premium'] as const) {
      const answer = await world.as(person).post('/api/keyword', { title: 'Mine' });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'ROLE_FORBIDDEN' } } });
    }
    expect((await world.anonymous().post('/api/keyword', { title: 'Mine' })).status).toBe(401);
  });

  it('refuses ids that are not there, or another platform’s', async () => {
    const [{ id: foreign }] = (await world.as('creator', 'B').post('/api/keyword', { title: 'Of B' })).body;
    for (const id of [foreign, 2_000_000_000]) {
      const answer = await save({ id, title: 'Mine' }, 'admin');
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
  });

  it('refuses to give a keyword the title of another', async () => {
    await save({ title: 'Taken' });
    const [{ id }] = (await save({ title: 'Free' })).body;
    const answer = await save({ id, title: 'TAKÉN' });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'title', issue: 'taken' }] } },
    });
  });

  const faults: [string, unknown][] = [
    ...[undefined, '', '  ', null, 5, {}, 'x'.repeat(101), 'a\0b', '\udc00'].map(
      (value): [string, unknown] => ['title', value],
    ),
    ...[5, {}, 'x'.repeat(2001)].map((value): [string, unknown] => ['description', value]),
    ...['1', 0, -1, 1.5, 2_147_483_648, []].map((value): [string, unknown] => ['id', value]),
  ];
  it.each(faults)('refuses %s %j', async (field, value) => {
    const answer = await save({ title: 'Fine', [field]: value });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field }] } },
    });
  });
});

describe('GET /api/keywords', () => {
  const list = async (client = world.as('free'), query = ''): Promise<Answer> =>
    client.get(`/api/keywords${query}`);

  it('answers all of the platform by title, whoever asks', async () => {
    const ofB = `?PlatformId=${world.platformId('B')}`;
    for (const title of ['tide', 'Éclair', 'Anchor', 'zulu', 'eclair b', 'Zenith']) {
      await world.as('creator', 'B').post('/api/keyword', { title });
    }
    const [keyword] = (await world.as('creator', 'B').post('/api/keyword', { title: 'anchor' })).body;
    const { status, body } = await list(world.as('free', 'B'));
    const titles = body.map(({ title }: { title: string }) => title);
    expect(status).toBe(200);
    expect(titles.slice(0, 3)).toEqual(['Anchor', 'Éclair', 'eclair b']);
    expect(titles.slice(-3)).toEqual(['tide', 'Zenith', 'zulu']);
    expect(body).toContainEqual(keyword);
    expect(new Set(body.map((one: { PlatformId: number }) => one.PlatformId))).toEqual(
      new Set([world.platformId('B')]),
    );
    for (const client of [world.anonymous(), world.as('admin'), world.as('pending', 'B')]) {
      expect((await list(client, ofB)).body).toEqual(body);
    }
    expect((await list(world.anonymous(), '?PlatformId=2000000000')).body).toEqual([]);
  });

  it('answers at most 500, with one statement', async () => {
    await test.db.dataSource.query(
      `insert into keywords ("PlatformId", title, "titleKey", slug)
       select $1, 'many ' || n, 'many ' || n, 'many-' || n from generate_series(1000, 1600) n`,
      [world.platformId('B')],
    );
    expect((await list(world.as('free', 'B'))).body).toHaveLength(500);
    expect(await test.queriesOf(() => list(world.as('free', 'B')))).toHaveLength(2);
  });
});

describe('DELETE /api/keyword/{id}', () => {
  it('takes it off the contents, and leaves the counts of others', async () => {
    const [gone] = (await save({ title: 'Going' })).body;
    const [stays] = (await save({ title: 'Staying' })).body;
    const { id } = await world.content({ KeywordIds: [gone.id, stays.id] });
    const { status, body } = await world.as('admin').delete(`/api/keyword/${gone.id}`);
    expect([status, body]).toEqual([200, { message: 'Keyword deleted.', id: gone.id }]);
    expect((await world.as('free').get(`/api/content/${id}`)).body.Keywords).toEqual([
      { id: stays.id, title: 'Staying' },
    ]);
    const left = (await world.as('free').get('/api/keywords')).body;
    expect(left.filter((one: { id: number }) => [gone.id, stays.id].includes(one.id))).toEqual([
      { ...stays, contentCount: 1 },
    ]);
    expect((await world.as('admin').delete(`/api/keyword/${gone.id}`)).status).toBe(404);
    expect((await save({ title: 'going' })).body).toMatchObject([{ slug: 'going', contentCount: 0 }, true]);
    const [entry] = await test.db.dataSource.query(
      `select "ActorId", action, "targetId" from audit_log where action = 'keyword.delete'`,
    );
    expect(entry).toEqual({
      ActorId: world.user('admin').id,
      action: 'keyword.delete',
      targetId: `${gone.id}`,
    });
  });
});

describe('contentCount', () => {
  const countOf = async (id: number): Promise<number> =>
    (await world.as('free').get('/api/keywords')).body.find((one: { id: number }) => one.id === id)
      ?.contentCount;

  it('is what a member without groups and tags finds under it, from the moment they do', async () => {
    const [{ id }] = (await save({ title: 'Found' })).body;
    const group = await world.group();
    const hour = (hours: number): string =>
      new Date(test.clock.now().getTime() + hours * 3_600_000).toISOString();
    const add = (values: object): Promise<{ id: number }> => world.content({ KeywordIds: [id], ...values });
    const found = async (): Promise<number> =>
      (await world.as('free').get(`/api/contents?filters=KeywordId:${id}`)).body.totalItems;
    /** How many find it; all who are told of the keyword are told so many. */
    const counts = async (): Promise<number> => {
      const there = await found();
      const visitor = await world.anonymous().get(`/api/keywords?PlatformId=${world.platformId()}`);
      const seen = visitor.body.find((one: { id: number }) => one.id === id).contentCount;
      const saved = (await save({ title: 'Found' }, 'admin')).body[0].contentCount;
      expect([await countOf(id), seen, saved]).toEqual([there, there, there]);
      return there;
    };
    await add({ visibility: 'public' });
    expect(await counts()).toBe(1);
    const filed = await add({ visibility: 'members' });
    expect(await counts()).toBe(2);
    for (const visibility of ['private', 'hidden'] as const) await add({ visibility });
    await add({ visibility: 'private', GroupIds: [group.id] });
    expect(await counts()).toBe(2);
    const gated = await add({ visibility: 'members', GroupIds: [group.id] });
    expect(await counts()).toBe(3);
    await world.settings({ showTeasers: false });
    expect(await counts()).toBe(2);
    await world.settings({});
    await world.as('admin').delete(`/api/group/${group.id}`);
    expect(await counts()).toBe(2);
    await world.as('creator').post('/api/content', { id: gated.id, title: 'For members again' });
    expect(await counts()).toBe(3);
    await add({ visibility: 'public', publishedDate: hour(1), expireDate: hour(2) });
    expect(await counts()).toBe(3);
    test.clock.set(hour(1.5));
    expect(await counts()).toBe(4);
    test.clock.set(hour(1));
    expect(await counts()).toBe(3);
    test.clock.reset();
    await test.db.dataSource.query(`update contents set "awaitsApproval" = true where id = $1`, [filed.id]);
    expect(await counts()).toBe(2);
  });

  it('stays right when 20 contents take and lose two keywords at once', async () => {
    const [one] = (await save({ title: 'Busy one' })).body;
    const [two] = (await save({ title: 'Busy two' })).body;
    const orders = [
      [one.id, two.id],
      [two.id, one.id],
    ];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => world.content({ KeywordIds: orders[index % 2] })),
    );
    expect([await countOf(one.id), await countOf(two.id)]).toEqual([20, 20]);
    const changes = made.map(({ id }, index) =>
      index < 10
        ? world.as('creator').delete(`/api/content/${id}`)
        : world.as('creator').post('/api/content', { id, KeywordIds: [two.id] }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect([await countOf(one.id), await countOf(two.id)]).toEqual([0, 10]);
  });
});
