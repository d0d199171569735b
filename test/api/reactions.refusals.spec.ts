import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const refusal = ({ status, body }: { status: number; body: any }): unknown => [status, body.error?.code];

describe.each(['content', 'chat'])('reactions under /api/%s refuse', (kind) => {
  let path: string;
  beforeAll(async () => {
    const content = await world.content();
    const id = kind === 'content' ? content.id : (await world.comment(content.id)).id;
    path = `/api/${kind}/${id}/reactions`;
  });
  const writes = (client: ReturnType<typeof world.anonymous>): Promise<any>[] => [
    client.post(path, { emoji: 'heart' }),
    client.post(`${path}/toggle`, { emoji: 'heart' }),
    client.delete(`${path}/heart`),
  ];

  it('who may not write', async () => {
    for (const answer of writes(world.anonymous()))
      expect(refusal(await answer)).toEqual([401, 'UNAUTHORIZED']);
    for (const answer of writes(world.as('pending')))
      expect(refusal(await answer)).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    for (const answer of writes(world.as('banned'))) expect(refusal(await answer)).toEqual([403, 'BANNED']);
    for (const answer of writes(world.as('admin', 'B')))
      expect(refusal(await answer)).toEqual([404, 'NOT_FOUND']);
    expect((await world.anonymous().get(path)).body.reactions).toEqual([]);
  });

  it.each([
    'Heart',
    'two words',
    '❤️❤️',
    '❤️x',
    '',
    'x'.repeat(65),
    '<b>',
    'é',
    '\u{FE0F}',
    '\u200d',
    'nul\0',
    '\ud83d',
  ])('the emoji %j', async (emoji) => {
    for (const write of ['', '/toggle']) {
      const { status, body } = await world.as('free').post(`${path}${write}`, { emoji });
      expect([status, body.error.details]).toEqual([400, [{ field: 'emoji', issue: expect.any(String) }]]);
    }
    const text = emoji.isWellFormed() ? encodeURIComponent(emoji) : '%ED%A0%BD';
    expect((await world.as('free').delete(`${path}/${text || 'No'}`)).status).toBe(400);
    expect((await world.anonymous().get(`${path}?emoji=${text}`)).status).toBe(400);
  });

  it.each([{}, { emoji: null }, { emoji: 7 }, { emoji: ['heart'] }])('the body %j', async (body) => {
    expect(refusal(await world.as('free').post(path, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a repeated parameter and ids that are none', async () => {
    expect((await world.anonymous().get(`${path}?emoji=a&emoji=b`)).status).toBe(400);
    expect((await world.anonymous().get(`/api/${kind}/abc/reactions`)).status).toBe(400);
    for (const id of ['0', '2147483647', '2147483648']) {
      expect(refusal(await world.anonymous().get(`/api/${kind}/${id}/reactions`))).toEqual([
        404,
        'NOT_FOUND',
      ]);
      expect(
        refusal(await world.as('admin').post(`/api/${kind}/${id}/reactions`, { emoji: 'heart' })),
      ).toEqual([404, 'NOT_FOUND']);
    }
  });
});

it('reactions to a comment refuse when it is deleted, flagged or waiting', async () => {
  const content = await world.content();
  for (const change of [`"deletedAt" = now()`, `"moderationCategory" = 'Spam'`, `"awaitsApproval" = true`]) {
    const { id } = await world.comment(content.id);
    await test.db.dataSource.query(`update comments set ${change} where id = $1`, [id]);
    expect(refusal(await world.as('admin').get(`/api/chat/${id}/reactions`))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await world.as('free').post(`/api/chat/${id}/reactions`, { emoji: 'heart' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  }
});
