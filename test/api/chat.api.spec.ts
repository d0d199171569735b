import fc from 'fast-check';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const idsOf = ({ body }: { body: any }): number[] => body.items.map((item: { id: number }) => item.id);
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

type Kind = 'shown' | 'deleted' | 'flagged' | 'awaiting';

/** Comments in bulk, as the service would have left them: ordinals without a gap, counters exact. */
async function bulk(
  contentId: number,
  kinds: Kind[],
  parentId: number | null = null,
): Promise<{ id: number; kind: Kind }[]> {
  const rows = await query(
    `insert into comments ("PlatformId", "ContentId", "UserId", "parentCommentId", ordinal, message, "messagePlain", "createdAt",
       "deletedAt", "moderationCategory", "awaitsApproval")
     select $1, $2, $3, $4, place, 'Nr ' || place, 'Nr ' || place, timestamptz '2026-01-01' + place * interval '1 second',
            case when kind = 'deleted' then now() end, case when kind = 'flagged' then 'Spam' end, kind = 'awaiting'
       from unnest($5::text[]) with ordinality as k (kind, place) order by place returning id`,
    [world.platformId(), contentId, world.user('free').id, parentId, kinds],
  );
  const listed = kinds.filter((kind) => kind === 'shown' || kind === 'deleted').length;
  await (parentId === null
    ? query(`update contents set "topLevelCount" = $2, "lastOrdinal" = $3 where id = $1`, [
        contentId,
        listed,
        kinds.length,
      ])
    : query(`update comments set "listedCount" = $2, "lastOrdinal" = $3 where id = $1`, [
        parentId,
        listed,
        kinds.length,
      ]));
  return rows.map(({ id }, index) => ({ id, kind: kinds[index] as Kind }));
}

describe('GET /api/chat', () => {
  it('pages top-level comments in the order they were written', async () => {
    const { id } = await world.content();
    const said: number[] = [];
    for (let index = 0; index < 7; index++) said.push((await world.comment(id)).id);
    const first = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ totalItems: 7, currentPage: 1, itemsPerPage: 3, totalPages: 3 });
    expect(idsOf(first)).toEqual(said.slice(0, 3));
    expect(
      idsOf(await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3&currentPage=3`)),
    ).toEqual(said.slice(6));
    const newest = await world
      .anonymous()
      .get(`/api/chat?contentId=${id}&itemsPerPage=3&sort=createdAt:desc&currentPage=3`);
    expect(idsOf(newest)).toEqual(said.slice(0, 1));
    const past = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3&currentPage=9`);
    expect(past.body).toMatchObject({ items: [], totalItems: 7 });
  });

  it('answers an empty first page, and clamps the page size at 100', async () => {
    const { id } = await world.content();
    const { body } = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=101`);
    expect(body).toEqual({ items: [], totalItems: 0, currentPage: 1, itemsPerPage: 100, totalPages: 0 });
    expect((await world.anonymous().get(`/api/chat?contentId=${id}`)).body.itemsPerPage).toBe(25);
  });

  it('costs one statement whatever the page', async () => {
    const { id } = await world.content();
    for (let index = 0; index < 5; index++) await world.comment(id);
    for (const page of [1, 2, 3]) {
      const queries = await test.queriesOf(() =>
        world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=2&currentPage=${page}`),
      );
      expect(queries).toHaveLength(1);
    }
    // One more finds out who asks.
    expect(await test.queriesOf(() => world.as('free').get(`/api/chat?contentId=${id}`))).toHaveLength(2);
  });

  it('shows a comment with its author, counts and reactions', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id, { message: '<p>Hello &amp; <b>welcome</b></p>', atSeconds: 12 });
    await world.comment(id, { parentCommentId: comment.id });
    await world.as('basic').post(`/api/chat/${comment.id}/reactions`, { emoji: 'heart' });
    const { body } = await world.as('basic').get(`/api/chat?contentId=${id}`);
    const author = world.user('free');
    expect(body.items).toEqual([
      {
        id: comment.id,
        message: '<p>Hello &amp; <b>welcome</b></p>',
        messagePlain: 'Hello & welcome',
        displayName: author.name,
        deleted: false,
        moderationCategory: null,
        isEdited: false,
        editedAt: null,
        createdAt: expect.any(String),
        parentCommentId: null,
        replyCount: 1,
        atSeconds: 12,
        reactions: [{ emoji: 'heart', count: 1 }],
        myReactions: ['heart'],
        User: { id: author.id, name: author.name, photoUrl: null, banned: false },
      },
    ]);
  });

  it('says what is mine only to those whom the platform knows', async () => {
    const { id } = await world.content();
    await world.comment(id);
    const mine = async (client: ReturnType<typeof world.anonymous>): Promise<unknown> =>
      (await client.get(`/api/chat?contentId=${id}`)).body.items[0].myReactions;
    expect(await mine(world.as('free'))).toEqual([]);
    expect(await mine(world.anonymous())).toBeUndefined();
    expect(await mine(world.as('pending'))).toBeUndefined();
    expect(await mine(world.as('free', 'B'))).toBeUndefined();
  });

  it('keeps the place of a deleted comment, without its text and reactions', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id);
    await world.as('basic').post(`/api/chat/${comment.id}/reactions`, { emoji: 'heart' });
    await query(`update comments set "deletedAt" = now() where id = $1`, [comment.id]);
    const { body } = await world.as('basic').get(`/api/chat?contentId=${id}`);
    expect(body).toMatchObject({ totalItems: 1 });
    expect(body.items[0]).toMatchObject({
      id: comment.id,
      deleted: true,
      message: '',
      messagePlain: '',
      reactions: [],
      myReactions: [],
      User: { id: world.user('free').id },
    });
  });

  it('names deleted authors and marks banned ones', async () => {
    const { id } = await world.content();
    await world.comment(id, {}, 'otherFree');
    await query(
      `update users set "bannedAt" = now(), "bannedUntil" = now() + interval '1 day' where id = $1`,
      [world.user('otherFree').id],
    );
    const banned = await world.anonymous().get(`/api/chat?contentId=${id}`);
    expect(banned.body.items[0].User.banned).toBe(true);
    await query(`update users set "bannedUntil" = now() - interval '1 day' where id = $1`, [
      world.user('otherFree').id,
    ]);
    const free = await world.anonymous().get(`/api/chat?contentId=${id}`);
    expect(free.body.items[0].User.banned).toBe(false);
  });

  it('still lists where comments are closed', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id);
    await world.as('creator').post('/api/content', { id, chatEnabled: false });
    expect(idsOf(await world.anonymous().get(`/api/chat?contentId=${id}`))).toEqual([comment.id]);
  });

  const scenario = fc.record({
    kinds: fc.array(fc.constantFrom<Kind>('shown', 'shown', 'shown', 'deleted', 'flagged', 'awaiting'), {
      maxLength: 25,
    }),
    size: fc.integer({ min: 1, max: 9 }),
    replies: fc.boolean(),
  });

  it('pages like the plain list without the held ones, both ways, whatever is held', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ kinds, size, replies }) => {
        const content = await world.content();
        const [parent] = replies ? await bulk(content.id, ['shown']) : [];
        const rows = await bulk(content.id, kinds, parent?.id ?? null);
        const list = parent ? `/api/replies?commentId=${parent.id}` : `/api/chat?contentId=${content.id}`;
        for (const sort of ['createdAt:asc', 'createdAt:desc']) {
          const all = rows.filter(({ kind }) => kind === 'shown' || kind === 'deleted').map(({ id }) => id);
          if (sort.endsWith('desc')) all.reverse();
          for (let page = 1; page <= Math.ceil(all.length / size) + 1; page++) {
            const { body } = await world
              .as('free')
              .get(`${list}&itemsPerPage=${size}&currentPage=${page}&sort=${sort}`);
            expect(body.items.map((item: { id: number }) => item.id)).toEqual(
              all.slice((page - 1) * size, page * size),
            );
            expect(body).toMatchObject({
              totalItems: all.length,
              totalPages: Math.ceil(all.length / size),
              currentPage: page,
            });
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('reads no more rows for a late page than for the first', async () => {
    const { id } = await world.content();
    await bulk(
      id,
      Array.from({ length: 4000 }, (_, index) => (index % 400 === 7 ? 'flagged' : 'shown')),
    );
    await query('analyze comments');
    const rowsRead = async (page: number, sort: string): Promise<number> => {
      const [statement = ''] = await test.queriesOf(() =>
        world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=25&currentPage=${page}&sort=${sort}`),
      );
      const values = await lastValues(statement, () =>
        world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=25&currentPage=${page}&sort=${sort}`),
      );
      const [{ 'QUERY PLAN': plan }] = await query(`explain (analyze, format json) ${statement}`, values);
      return touched(plan[0].Plan);
    };
    for (const sort of ['createdAt:asc', 'createdAt:desc']) {
      const first = await rowsRead(1, sort);
      expect(first).toBeLessThan(300);
      for (const page of [80, 160]) expect(await rowsRead(page, sort)).toBeLessThan(first * 1.5 + 50);
    }
  });
});

/** Rows that the scans of a plan brought up, those filtered away included. */
function touched(plan: any): number {
  const own = /Scan/.test(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0;
  return (plan.Plans ?? []).reduce((sum: number, inner: any) => sum + touched(inner), own);
}

/** The parameters with which the work sends the statement. */
async function lastValues(statement: string, work: () => Promise<unknown>): Promise<unknown[]> {
  const pool = (test.db.dataSource.driver as any).master;
  const sent = jest.spyOn(pool, 'query');
  await work();
  const call = sent.mock.calls.find(([{ text }]: any) => text === statement);
  sent.mockRestore();
  return (call?.[0] as { values: unknown[] } | undefined)?.values ?? [];
}

describe('POST /api/chat', () => {
  it('answers the new comment, sanitised, and true', async () => {
    const { id } = await world.content();
    const { status, body } = await world.as('basic').post('/api/chat', {
      contentId: id,
      message:
        '<p onclick="x()">Hi <a href="https://example.org" target="_top">there</a><script>alert(1)</script></p>',
    });
    expect([status, body[1]]).toEqual([200, true]);
    expect(body[0]).toMatchObject({
      message: '<p>Hi <a href="https://example.org" rel="nofollow ugc noopener">there</a></p>',
      messagePlain: 'Hi there',
      parentCommentId: null,
      replyCount: 0,
      myReactions: [],
      User: { id: world.user('basic').id },
    });
  });

  it('answers the comment that is there when the same is sent again within a minute', async () => {
    const { id } = await world.content();
    const send = async (values: object, person: 'free' | 'basic' = 'free'): Promise<[number, boolean]> => {
      const { body } = await world
        .as(person)
        .post('/api/chat', { contentId: id, message: 'Twice', ...values });
      return [body[0].id, body[1]];
    };
    test.clock.set(new Date());
    const [first] = await send({});
    expect(await send({})).toEqual([first, false]);
    expect((await send({}, 'basic'))[1]).toBe(true);
    expect((await send({ message: 'Thrice' }))[1]).toBe(true);
    const [reply, isNew] = await send({ parentCommentId: first });
    expect(isNew).toBe(true);
    expect(await send({ parentCommentId: first })).toEqual([reply, false]);
    test.clock.advance(59);
    expect(await send({})).toEqual([first, false]);
    test.clock.advance(2);
    expect((await send({}))[1]).toBe(true);
    test.clock.reset();
    const { body } = await world.anonymous().get(`/api/chat?contentId=${id}`);
    expect(body.totalItems).toBe(4);
  });

  it('gives 20 comments at once 20 places, and counts them all', async () => {
    const { id } = await world.content();
    const parent = await world.comment(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.as(index % 2 ? 'free' : 'basic').post('/api/chat', {
          contentId: id,
          message: `At once ${index}`,
          ...(index % 4 === 0 && { parentCommentId: parent.id }),
        }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body[1]])).toEqual(
      Array.from({ length: 20 }, () => [200, true]),
    );
    const ordinals = await query(
      `select "parentCommentId" as parent, array_agg(ordinal order by ordinal) as places from comments where "ContentId" = $1 group by 1 order by 1 nulls first`,
      [id],
    );
    expect(ordinals).toEqual([
      { parent: null, places: Array.from({ length: 16 }, (_, index) => index + 1) },
      { parent: parent.id, places: [1, 2, 3, 4, 5] },
    ]);
    const [counters] = await query(
      `select "commentCount", "topLevelCount", "lastOrdinal" from contents where id = $1`,
      [id],
    );
    expect(counters).toEqual({ commentCount: 21, topLevelCount: 16, lastOrdinal: 16 });
    const { body } = await world.anonymous().get(`/api/chat?contentId=${id}`);
    expect(body.items[0]).toMatchObject({ id: parent.id, replyCount: 5 });
  });

  it('edits the text of one’s own comment', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id);
    const { status, body } = await world
      .as('free')
      .post('/api/chat', { id: comment.id, message: '<em>Better</em>' });
    expect([status, body[1]]).toEqual([200, false]);
    expect(body[0]).toMatchObject({
      id: comment.id,
      message: '<em>Better</em>',
      messagePlain: 'Better',
      isEdited: true,
    });
    expect(Date.parse(body[0].editedAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('edits within commentEditMinutes, the last instant included', async () => {
    const { id } = await world.content();
    test.clock.set(new Date());
    const comment = await world.comment(id);
    await world.settings({ commentEditMinutes: 5 });
    test.clock.advance(300);
    expect((await world.as('free').post('/api/chat', { id: comment.id, message: 'In time' })).status).toBe(
      200,
    );
    test.clock.advance(1);
    const late = await world.as('free').post('/api/chat', { id: comment.id, message: 'Too late' });
    expect([late.status, late.body.error.code]).toEqual([403, 'FORBIDDEN']);
    await world.settings({ commentEditMinutes: 0 });
    expect((await world.as('free').post('/api/chat', { id: comment.id, message: 'No limit' })).status).toBe(
      200,
    );
    await world.settings({});
    test.clock.reset();
  });

  it('holds what members write while comments require approval, and what they change', async () => {
    const { id } = await world.content();
    const before = await world.comment(id, { message: 'Approved once' });
    const reply = await world.comment(id, { parentCommentId: before.id });
    await world.settings({ commentsRequireApproval: true });
    const held = await world.comment(id, { message: 'Held' });
    const ofStaff = await world.comment(id, {}, 'creator');
    expect(idsOf(await world.as('admin').get(`/api/chat?contentId=${id}`))).toEqual([before.id, ofStaff.id]);
    expect((await world.as('free').post('/api/chat', { id: reply.id, message: 'Changed' })).status).toBe(200);
    expect(idsOf(await world.as('free').get(`/api/replies?commentId=${before.id}`))).toEqual([]);
    expect((await world.as('free').post('/api/chat', { id: before.id, message: 'Changed too' })).status).toBe(
      200,
    );
    expect((await world.as('free').post('/api/chat', { id: held.id, message: 'Still held' })).status).toBe(
      200,
    );
    await world.settings({});
    const { body } = await world.as('admin').get(`/api/chat?contentId=${id}`);
    expect([body.totalItems, idsOf({ body })]).toEqual([1, [ofStaff.id]]);
    const [counters] = await query(`select "commentCount", "topLevelCount" from contents where id = $1`, [
      id,
    ]);
    expect(counters).toEqual({ commentCount: 1, topLevelCount: 1 });
    const [parent] = await query(`select "replyCount", "listedCount" from comments where id = $1`, [
      before.id,
    ]);
    expect(parent).toEqual({ replyCount: 0, listedCount: 0 });
  });
});
