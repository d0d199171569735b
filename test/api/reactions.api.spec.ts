import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

describe.each(['content', 'chat'])('reactions under /api/%s', (kind) => {
  let path: string;
  beforeEach(async () => {
    const content = await world.content();
    const id = kind === 'content' ? content.id : (await world.comment(content.id)).id;
    path = `/api/${kind}/${id}/reactions`;
  });
  const add = (emoji: string, person: 'free' | 'basic' | 'premium' = 'free'): Promise<any> =>
    world.as(person).post(path, { emoji });

  it('are placed once, counted by use, then by first use', async () => {
    expect((await world.anonymous().get(path)).body).toEqual({ reactions: [], myReactions: [] });
    expect((await add('wave')).body).toEqual({
      reactions: [{ emoji: 'wave', count: 1 }],
      myReactions: ['wave'],
      added: true,
    });
    expect((await add('wave')).body).toEqual({
      reactions: [{ emoji: 'wave', count: 1 }],
      myReactions: ['wave'],
      added: false,
    });
    await add('heart', 'basic');
    await add('zebra', 'basic');
    const { body } = await add('heart', 'premium');
    expect(body).toEqual({
      reactions: [
        { emoji: 'heart', count: 2 },
        { emoji: 'wave', count: 1 },
        { emoji: 'zebra', count: 1 },
      ],
      myReactions: ['heart'],
      added: true,
    });
    expect((await world.anonymous().get(path)).body).toEqual({ reactions: body.reactions, myReactions: [] });
    expect((await world.as('basic').get(path)).body).toEqual({
      reactions: body.reactions,
      myReactions: ['heart', 'zebra'],
    });
    expect((await world.as('admin', 'B').get(path)).body).toEqual({
      reactions: body.reactions,
      myReactions: [],
    });
  });

  it('say who placed one', async () => {
    await add('heart', 'basic');
    await add('heart', 'free');
    await add('wave', 'premium');
    const { status, body } = await world.anonymous().get(`${path}?emoji=heart`);
    expect([status, body]).toEqual([
      200,
      {
        emoji: 'heart',
        users: (['basic', 'free'] as const).map((person) => ({
          id: world.user(person).id,
          name: world.user(person).name,
          photoUrl: null,
        })),
      },
    ]);
    expect((await world.anonymous().get(`${path}?emoji=never`)).body).toEqual({ emoji: 'never', users: [] });
  });

  it('are taken back, and what is not there can be too', async () => {
    await add('❤️');
    await add('wave');
    const gone = await world.as('free').delete(`${path}/${encodeURIComponent('❤')}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { reactions: [{ emoji: 'wave', count: 1 }], myReactions: ['wave'], removed: true },
    ]);
    expect((await world.as('free').delete(`${path}/heart`)).body.removed).toBe(false);
    expect((await world.as('basic').delete(`${path}/wave`)).body).toEqual({
      reactions: [{ emoji: 'wave', count: 1 }],
      myReactions: [],
      removed: false,
    });
  });

  it('toggle', async () => {
    const toggle = (): Promise<any> => world.as('free').post(`${path}/toggle`, { emoji: '👍' });
    expect((await toggle()).body).toEqual({
      reactions: [{ emoji: '👍', count: 1 }],
      myReactions: ['👍'],
      added: true,
    });
    expect((await toggle()).body).toEqual({ reactions: [], myReactions: [], added: false });
  });

  it('count one emoji whatever its spelling', async () => {
    for (const spelling of ['❤', '❤️', '❤\u{FE0F}']) await add(spelling);
    expect((await add('🕵🏽‍♀', 'basic')).body.myReactions).toEqual(['🕵🏽‍♀️']);
    const { body } = await add('🕵🏽‍♀️', 'free');
    expect(body.reactions).toEqual([
      { emoji: '🕵🏽‍♀️', count: 2 },
      { emoji: '❤️', count: 1 },
    ]);
    expect((await world.anonymous().get(`${path}?emoji=${encodeURIComponent('❤')}`)).body).toMatchObject({
      emoji: '❤️',
      users: [{ id: world.user('free').id }],
    });
  });

  it('keep exact counts under 50 toggles at once', async () => {
    const people = ['free', 'basic', 'premium', 'creator', 'admin'] as const;
    const turns = Array.from({ length: 50 }, (_, index) => people[index % 5] ?? 'free');
    // Each has ten turns, the first three of them one more with another emoji.
    const answers = await Promise.all([
      ...turns.map((person) => world.as(person).post(`${path}/toggle`, { emoji: 'heart' })),
      ...people.slice(0, 3).map((person) => world.as(person).post(`${path}/toggle`, { emoji: 'wave' })),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.filter(({ body }) => body.added)).toHaveLength(28);
    expect((await world.anonymous().get(path)).body.reactions).toEqual([{ emoji: 'wave', count: 3 }]);
  });

  it('are at most ten different ones each', async () => {
    for (let index = 0; index < 10; index++) expect((await add(`e${index}`)).status).toBe(200);
    const eleventh = await add('e10');
    expect([eleventh.status, eleventh.body.error.details[0].field]).toEqual([400, 'emoji']);
    expect((await world.as('free').post(`${path}/toggle`, { emoji: 'e10' })).status).toBe(400);
    expect((await add('e3')).body.added).toBe(false);
    expect((await add('e10', 'basic')).body.added).toBe(true);
    await world.as('free').delete(`${path}/e0`);
    expect((await add('e10')).body.myReactions).toHaveLength(10);
  });

  it('are only what allowedEmoji lets, in any spelling, and older ones can go', async () => {
    await add('wave');
    await query(`update platforms set settings = '{"allowedEmoji": ["❤", "thumbsup"]}' where id = $1`, [
      world.platformId(),
    ]);
    const refused = await add('zebra');
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ field: 'emoji', issue: expect.any(String) }],
    ]);
    expect((await add('❤️')).body.added).toBe(true);
    expect((await add('thumbsup')).body.added).toBe(true);
    expect((await world.as('free').post(`${path}/toggle`, { emoji: 'wave' })).body.added).toBe(false);
    await query(`update platforms set settings = '{}' where id = $1`, [world.platformId()]);
  });

  it('are read at a constant number of statements', async () => {
    for (const person of ['free', 'basic', 'premium'] as const)
      for (const emoji of ['a', 'b', 'c']) await add(emoji, person);
    expect(await test.queriesOf(() => world.anonymous().get(path))).toHaveLength(2);
    expect(await test.queriesOf(() => world.as('free').get(path))).toHaveLength(3);
    expect(await test.queriesOf(() => world.anonymous().get(`${path}?emoji=a`))).toHaveLength(2);
  });
});
