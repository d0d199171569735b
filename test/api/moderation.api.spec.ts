import { SpamLimits } from '../../src/moderation/spam';
import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  await query(`update users set "createdAt" = now() - interval '30 days'`);
});
beforeEach(async () => {
  await query('delete from comments');
  await query('delete from written_texts');
  await world.settings({});
  test.get(SpamLimits).commentsAMinute = Infinity;
  test.clock.reset();
});
afterAll(() => test.stop());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

interface Said {
  id: number;
  category: string | null;
}
let said = 0;
const unique = (): string => `Something new, number ${++said}`;

async function say(contentId: number, message: string, person: Person = 'free', more = {}): Promise<Said> {
  const { status, body } = await world.as(person).post('/api/chat', { contentId, message, ...more });
  expect([status, body[1]]).toEqual([200, true]);
  return { id: body[0].id, category: body[0].moderationCategory };
}

async function change(id: number, message: string, person: Person = 'free'): Promise<string | null> {
  const { status, body } = await world.as(person).post('/api/chat', { id, message });
  expect([status, body[1], body[0].id]).toEqual([200, false, id]);
  return body[0].moderationCategory;
}

/** What everybody is shown, and what is counted. */
async function listed(contentId: number): Promise<number[]> {
  const { body } = await world.anonymous().get(`/api/chat?contentId=${contentId}&itemsPerPage=100`);
  const ids = body.items.map(({ id }: { id: number }) => id);
  expect(body.totalItems).toBe(ids.length);
  const [counts] = await query(
    `select c."topLevelCount", c."commentCount",
            (select count(*)::int from comments m where m."ContentId" = c.id and not m.hidden) as shown
       from contents c where c.id = $1`,
    [contentId],
  );
  expect(counts).toMatchObject({ topLevelCount: ids.length, commentCount: counts.shown });
  return ids;
}

async function repliesTo(id: number): Promise<number[]> {
  const { body } = await world.anonymous().get(`/api/replies?commentId=${id}`);
  const ids = body.items.map((item: { id: number }) => item.id);
  const [counts] = await query(`select "replyCount", "listedCount" from comments where id = $1`, [id]);
  expect([body.totalItems, counts]).toEqual([
    ids.length,
    { replyCount: ids.length, listedCount: ids.length },
  ]);
  return ids;
}

describe('what is flagged', () => {
  it('is told to its author, shown to nobody and not counted', async () => {
    const { id } = await world.content();
    const clean = await say(id, 'A fine day');
    const flagged = await say(id, 'A sh\u200b1t day');
    expect([clean.category, flagged.category]).toEqual([null, 'Profanity']);
    expect(await listed(id)).toEqual([clean.id]);
    for (const person of ['free', 'admin'] as const) {
      const { body } = await world.as(person).get(`/api/chat?contentId=${id}`);
      expect(body.items.map((item: { id: number }) => item.id)).toEqual([clean.id]);
    }
    const reply = await say(id, 'Puta madre', 'basic', { parentCommentId: clean.id });
    expect(reply.category).toBe('Profanity');
    expect(await repliesTo(clean.id)).toEqual([]);
    expect(await listed(id)).toEqual([clean.id]);
  });

  it('takes no answers', async () => {
    const { id } = await world.content();
    const flagged = await say(id, 'Scheiße');
    const { status, body } = await world
      .as('basic')
      .post('/api/chat', { contentId: id, message: 'Oh', parentCommentId: flagged.id });
    expect([status, body.error.details[0].field]).toEqual([400, 'parentCommentId']);
    expect((await world.as('free').get(`/api/replies?commentId=${flagged.id}`)).status).toBe(404);
  });

  it('is the comment that is there when it is sent again', async () => {
    const { id } = await world.content();
    const flagged = await say(id, 'connard');
    const again = await world.as('free').post('/api/chat', { contentId: id, message: 'connard' });
    expect([again.body[0].id, again.body[0].moderationCategory, again.body[1]]).toEqual([
      flagged.id,
      'Profanity',
      false,
    ]);
  });

  it('comes back to its place when it is edited, and goes again', async () => {
    const { id } = await world.content();
    const [first, second, third] = [
      await say(id, unique()),
      await say(id, 'caralho'),
      await say(id, unique()),
    ];
    expect(await listed(id)).toEqual([first.id, third.id]);
    expect(await change(second.id, 'carvalho')).toBeNull();
    expect(await listed(id)).toEqual([first.id, second.id, third.id]);
    expect(await change(first.id, 'arschloch')).toBe('Profanity');
    expect(await change(first.id, 'Arschloch!')).toBe('Profanity');
    expect(await listed(id)).toEqual([second.id, third.id]);
    const reply = await say(id, unique(), 'free', { parentCommentId: second.id });
    expect(await repliesTo(second.id)).toEqual([reply.id]);
    expect(await change(reply.id, 'fuuuck')).toBe('Profanity');
    expect(await repliesTo(second.id)).toEqual([]);
    expect(await change(reply.id, 'duck')).toBeNull();
    expect(await repliesTo(second.id)).toEqual([reply.id]);
    expect(await listed(id)).toEqual([second.id, third.id]);
  });

  it('stays as people decided until its text changes', async () => {
    const { id } = await world.content();
    const approved = await say(id, 'Cock-fighting, the word cock');
    expect(approved.category).toBe('Profanity');
    await query(`update comments set "moderationCategory" = null, "moderationRule" = null where id = $1`, [
      approved.id,
    ]);
    await query(`update contents set "commentCount" = 1, "topLevelCount" = 1 where id = $1`, [id]);
    expect(await change(approved.id, 'Cock-fighting, the word cock')).toBeNull();
    expect(await listed(id)).toEqual([approved.id]);
    await query(`update comments set "moderationCategory" = 'Spam' where id = $1`, [approved.id]);
    await query(`update contents set "commentCount" = 0, "topLevelCount" = 0 where id = $1`, [id]);
    expect(await change(approved.id, 'Cock-fighting, the word cock')).toBe('Spam');
    expect(await change(approved.id, 'Cock-fighting, the word cock!')).toBe('Profanity');
    expect(await listed(id)).toEqual([]);
  });
});

it('staff write what they like, as fast as they like', async () => {
  const { id } = await world.content();
  await world.settings({ commentsRequireApproval: true, blockedWords: ['anchor', 'bad.example'] });
  test.get(SpamLimits).commentsAMinute = 1;
  const links = Array.from({ length: 5 }, (_, index) => `https://bad.example/${index}`).join(' ');
  const all = [];
  for (const person of ['admin', 'creator'] as const) {
    for (const message of ['fuck', 'anchor', links, 'the same from both'])
      all.push(await say(id, message, person));
  }
  expect(all.map(({ category }) => category)).toEqual(all.map(() => null));
  expect(await listed(id)).toEqual(all.map((comment) => comment.id));
});

it('platforms block words and domains of their own', async () => {
  const { id } = await world.content();
  await world.settings({ blockedWords: ['Landlubber', 'walk the plank', 'bad.example'] });
  const of = async (message: string): Promise<string | null> => (await say(id, message)).category;
  expect(await of('you l4ndlubber')).toBe('Profanity');
  expect(await of('he should walk <b>the</b> plank')).toBe('Profanity');
  expect(await of('see www.Bad.Example/now')).toBe('Spam');
  expect(await of('<a href="https://x.b%61d.example/">look</a>')).toBe('Spam');
  await query('delete from comments');
  expect(await of('land lubber, plank the walk, notbad.example')).toBeNull();
  const elsewhere = await world.content({}, 'B');
  const { body } = await world
    .as('free', 'B')
    .post('/api/chat', { contentId: elsewhere.id, message: 'landlubber' });
  expect(body[0].moderationCategory).toBeNull();
});

describe('spam', () => {
  it('is more than three links, however they are written', async () => {
    const { id } = await world.content();
    const three = '<a href="https://a.example">a</a> https://b.example www.c.example';
    expect((await say(id, three)).category).toBeNull();
    expect((await say(id, `${three} <a href="https://d.example">d</a>`)).category).toBe('Spam');
    expect(await listed(id)).toHaveLength(1);
  });

  it('is a link from an account younger than a day', async () => {
    const { id } = await world.content();
    const link = 'My page: https://a.example';
    test.clock.set(new Date());
    await query(`update users set "createdAt" = $2 where id = $1`, [
      world.user('otherFree').id,
      new Date(test.clock.now().getTime() - 86_399_000),
    ]);
    const young = await say(id, link, 'otherFree');
    expect(young.category).toBe('Spam');
    expect((await say(id, 'My page, no link', 'otherFree')).category).toBeNull();
    test.clock.advance(1);
    expect((await say(id, `${link}/2`, 'otherFree')).category).toBeNull();
    expect(await change(young.id, 'My page: https://a.example/3', 'otherFree')).toBeNull();
    expect(await listed(id)).toHaveLength(3);
  });

  it('is the same text from a third person within a day', async () => {
    const [one, other] = [await world.content(), await world.content()];
    test.clock.set(new Date());
    const first = await say(one.id, 'Buy cheap ropes here');
    test.clock.advance(61);
    expect((await say(one.id, 'Buy cheap ropes here!')).category).toBeNull();
    const second = await say(other.id, 'BUY cheap\nropes here…', 'basic');
    expect([first.category, second.category]).toEqual([null, null]);
    const third = await say(other.id, '<b>Buy</b> cheap ropes h\u200bere', 'premium');
    expect(third.category).toBe('Spam');
    expect(await listed(other.id)).toEqual([second.id]);
    expect(await change(third.id, 'I sell ropes as well', 'premium')).toBeNull();
    expect(await change(third.id, 'buy cheap ropes here', 'premium')).toBe('Spam');
    test.clock.advance(86_400);
    expect((await say(other.id, 'Buy cheap ropes here', 'otherFree')).category).toBeNull();
    const rows = await query(`select "UserId" from written_texts where "writtenAt" <= $1`, [
      new Date(test.clock.now().getTime() - 86_400_000),
    ]);
    expect(rows).toEqual([]);
  });

  it('is the same text from the third of four who write at once', async () => {
    const contents = await Promise.all([1, 2, 3, 4].map(() => world.content()));
    const people = ['free', 'basic', 'premium', 'otherFree'] as const;
    const all = await Promise.all(
      contents.map(({ id }, index) => say(id, 'All at once we say this', people[index])),
    );
    expect(all.map(({ category }) => category).filter((category) => category === 'Spam')).toHaveLength(2);
    for (const [index, { id }] of contents.entries()) {
      expect(await listed(id)).toEqual(all[index]?.category === null ? [all[index].id] : []);
    }
  });

  it('is a sixth comment within a minute', async () => {
    test.get(SpamLimits).commentsAMinute = 5;
    const { id } = await world.content();
    test.clock.set(new Date());
    const all = [];
    for (let index = 0; index < 7; index++) {
      test.clock.advance(1);
      all.push(await say(id, unique()));
    }
    expect(all.map(({ category }) => category)).toEqual([null, null, null, null, null, 'Spam', 'Spam']);
    expect((await say(id, unique(), 'basic')).category).toBeNull();
    // An edit is no new comment, and does not set free what came too fast.
    expect(await change(all[0]?.id ?? 0, unique())).toBeNull();
    expect(await change(all[6]?.id ?? 0, unique())).toBe('Spam');
    test.clock.advance(59);
    expect((await say(id, unique())).category).toBeNull();
    expect(await listed(id)).toHaveLength(7);
  });

  it('is what an author writes beyond five of twenty at once, on whatever content', async () => {
    test.get(SpamLimits).commentsAMinute = 5;
    const contents = [await world.content(), await world.content(), await world.content()];
    test.clock.set(new Date());
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => say(contents[index % 3]?.id ?? 0, unique())),
    );
    const shown = all.filter(({ category }) => category === null).map(({ id }) => id);
    expect(shown).toHaveLength(5);
    const lists = [];
    for (const { id } of contents) lists.push(...(await listed(id)));
    expect(new Set(lists)).toEqual(new Set(shown));
    expect(lists).toHaveLength(5);
  });

  it('is what comes from an author of whose comments more than 30 % were removed in a week', async () => {
    const { id } = await world.content();
    test.clock.set(new Date());
    const all: Said[] = [];
    for (let index = 0; index < 10; index++) all.push(await say(id, unique()));
    const remove = (from: number, to: number, by: Person): Promise<unknown> =>
      query(`update comments set "deletedAt" = $2, "deletedById" = $3 where id = any($1)`, [
        all.slice(from, to).map((comment) => comment.id),
        test.clock.now(),
        world.user(by).id,
      ]);
    await remove(0, 7, 'free');
    await remove(7, 10, 'admin');
    // 3 of 10 are 30 %; what one deletes oneself does not count.
    expect((await say(id, unique())).category).toBeNull();
    await remove(6, 8, 'admin');
    const held = await say(id, unique());
    expect(held.category).toBe('Spam');
    expect((await say(id, unique(), 'basic')).category).toBeNull();
    // What is held for the record does not make the record worse: the removed ones grow old, and all is well.
    for (let index = 0; index < 3; index++) expect((await say(id, unique())).category).toBe('Spam');
    await query(
      `update comments set "createdAt" = "createdAt" - interval '7 days' where "deletedAt" is not null`,
    );
    expect(await change(held.id, unique())).toBeNull();
    expect((await say(id, unique())).category).toBeNull();
  });

  it('does not follow from one slip', async () => {
    const { id } = await world.content();
    expect((await say(id, 'shit')).category).toBe('Profanity');
    for (let index = 0; index < 4; index++) expect((await say(id, unique())).category).toBeNull();
    expect((await say(id, 'merde')).category).toBe('Profanity');
    expect((await say(id, unique())).category).toBe('Spam');
  });
});

describe('comments that require approval', () => {
  it('wait, flagged or not, and an edit does not set them free', async () => {
    const { id } = await world.content();
    await world.settings({ commentsRequireApproval: true });
    const clean = await say(id, unique());
    const flagged = await say(id, 'bullshit');
    expect([clean.category, flagged.category]).toEqual([null, 'Profanity']);
    expect(await listed(id)).toEqual([]);
    await world.settings({});
    expect(await change(clean.id, unique())).toBeNull();
    expect(await change(flagged.id, unique())).toBeNull();
    expect(await listed(id)).toEqual([]);
    const waiting = await query(`select id from comments where "awaitsApproval" order by id`);
    expect(waiting).toEqual([{ id: clean.id }, { id: flagged.id }]);
  });
});

it('comments that are closed say so before the text is looked at', async () => {
  const { id } = await world.content();
  const { id: comment } = await say(id, unique());
  await world.as('creator').post('/api/content', { id, chatEnabled: false });
  for (const target of [{ contentId: id }, { id: comment }]) {
    const { status, body } = await world.as('free').post('/api/chat', { ...target, message: '<p></p>' });
    expect([status, body.error.code]).toEqual([403, 'CHAT_DISABLED']);
  }
});

it('H: ten thousand characters made to take long are judged like others', async () => {
  const { id } = await world.content();
  for (const piece of ['a\u0301\u0327', '\ufdfa', 'http://', 'two girls one ', 'a.', '@$1!', '&lt;a ']) {
    const message = `x ${piece.repeat(10_000 / piece.length)}`.slice(0, 9_990);
    const begin = performance.now();
    await world.as('free').post('/api/chat', { contentId: id, message: `${message} fuck` });
    expect(performance.now() - begin).toBeLessThan(3000);
  }
  const rows = await query(`select distinct "moderationCategory" as category from comments`);
  expect(rows).toEqual([{ category: 'Profanity' }]);
});
