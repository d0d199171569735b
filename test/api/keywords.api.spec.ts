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
