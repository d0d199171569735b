import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
afterEach(() => test.clock.reset());

/** Later than what the tests before made. */
const inHours = (hours: number): void => test.clock.set(new Date(Date.now() + hours * 3_600_000));
const status = async (person: Person | null, id: number): Promise<number> =>
  (await (person ? world.as(person) : world.anonymous()).get(`/api/post/${id}`)).status;
const listed = async (person: Person, search: string): Promise<number[]> =>
  (await world.as(person).get(`/api/posts?${search}`)).body.items.map(({ id }: { id: number }) => id);

describe('searchTerm', () => {
  it('finds words in titles and messages, of teasers only in what they show', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'member' });
    const long = `<p>Bilge pump ${'a '.repeat(150)} <b>Wintering</b> ashore</p>`;
    const titled = await world.post('free', {
      title: 'Brûlée keel',
      message: '100% oak',
      GroupIds: [group.id],
    });
    const told = await world.post('free', { message: long, GroupIds: [group.id] });
    const found = async (person: Person, term: string): Promise<number[]> =>
      (
        await listed(person, `filters=GroupId:${group.id}&searchTerm=${encodeURIComponent(term)}`)
      ).toReversed();
    for (const [term, ids] of [
      ['BRULEE', [titled.id]],
      ['keel brulee', [titled.id]],
      ['0%', [titled.id]],
      ['pump bil', [told.id]],
      [' ', [titled.id, told.id]],
      ['%%', []],
      ['keel pump', []],
    ] as const) {
      expect([term, await found('basic', term), await found('otherFree', term)]).toEqual([term, ids, ids]);
    }
    expect(await found('basic', 'wintering')).toEqual([told.id]);
    expect(await found('otherFree', 'wintering')).toEqual([]);
    expect(await found('admin', 'wintering')).toEqual([told.id]);
    const { body } = await world.as('basic').get('/api/posts?searchTerm=wintering');
    expect([body.totalItems, body.items[0].id]).toEqual([1, told.id]);
    const refused = await world.as('basic').get(`/api/posts?searchTerm=${'x'.repeat(201)}`);
    expect(refused.body.error).toMatchObject({ status: 400, details: [{ field: 'searchTerm' }] });
  });
});

describe('a post of a group', () => {
  it('is a teaser to others, whose text is no markup', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'member' });
    const { id } = await world.post('free', {
      title: 'Crew',
      message: `<p>&lt;img src=x onerror=y&gt; ${'a'.repeat(300)}</p>`,
      GroupIds: [group.id],
    });
    await world.as('basic').post(`/api/content/${id}/reactions`, { emoji: 'heart' });
    const text = `<img src=x onerror=y> ${'a'.repeat(178)}`;
    const { body } = await world.as('otherFree').get(`/api/post/${id}`);
    expect(body).toMatchObject({
      title: 'Crew',
      message: text.replace('<', '&lt;').replace('>', '&gt;'),
      description: text.replace('<', '&lt;').replace('>', '&gt;'),
      messagePlain: text,
      locked: false,
      access: { canRead: false, locked: true },
      reactions: [],
      myReactions: [],
    });
    const inList = await world.as('otherFree').get(`/api/posts?filters=GroupId:${group.id}`);
    expect(inList.body.items).toEqual([body]);
    const mine = await world.as('basic').get(`/api/post/${id}`);
    expect(mine.body).toMatchObject({
      access: { canRead: true, locked: false },
      reactions: [{ emoji: 'heart', count: 1 }],
      myReactions: ['heart'],
    });
    expect((await world.as('free').get(`/api/post/${id}`)).body.myReactions).toEqual([]);
  });

  it('carries what staff attached to it for its readers, and nothing of it in a teaser', async () => {
    const group = await world.groupOf({ basic: 'member' });
    const attached = {
      contentURI: 'https://example.org/list.pdf',
      video: 'https://example.org/call.mp4',
      options: { layout: 'wide' },
    };
    const { id } = await world.content({
      type: 'post',
      visibility: 'members',
      GroupIds: [group.id],
      ...attached,
    });
    expect((await world.as('basic').get(`/api/post/${id}`)).body).toMatchObject(attached);
    expect((await world.as('otherFree').get(`/api/post/${id}`)).body).toMatchObject({
      access: { locked: true },
      contentURI: null,
      video: null,
      options: null,
    });
  });

  it('is not found by a group that the viewer must not know of', async () => {
    const group = await world.groupOf({ free: 'member' }, { visibility: 'hidden' });
    const { id } = await world.post('free', { GroupIds: [group.id] });
    const found = (person: Person): Promise<number[]> => listed(person, `filters=GroupId:${group.id}`);
    expect([await found('free'), await found('admin'), await found('basic')]).toEqual([[id], [id], []]);
    expect(await status('basic', id)).toBe(200);
  });
});

describe('GET /api/posts', () => {
  it('lists posts only, newest first, by author and page', async () => {
    await world.content();
    inHours(1);
    const ids: number[] = [];
    for (const person of ['premium', 'basic', 'premium', 'premium'] as const) {
      test.clock.advance(1);
      ids.unshift((await world.post(person)).id);
    }
    const [d, c, b, a] = ids;
    expect((await listed('free', 'itemsPerPage=4')).slice(0, 4)).toEqual(ids);
    const filters = `filters=UserId:${world.user('premium').id}`;
    expect(await listed('free', filters)).toEqual([d, c, a]);
    expect(await listed('free', `${filters}&sort=createdAt:asc`)).toEqual([a, c, d]);
    const page = await world.as('free').get(`/api/posts?${filters}&itemsPerPage=2&currentPage=2`);
    expect(page.body).toMatchObject({ totalItems: 3, totalPages: 2, currentPage: 2, itemsPerPage: 2 });
    expect(page.body.items.map((post: any) => post.id)).toEqual([a]);
    const types = (await world.as('admin').get('/api/posts?itemsPerPage=100')).body.items;
    expect(new Set(types.map((post: any) => post.type))).toEqual(new Set(['post']));
    expect(b).toBeDefined();
  });

  it('orders by activity: a comment that is listed counts, a held one does not', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'member' });
    inHours(2);
    const first = await world.post('free', { GroupIds: [group.id] });
    test.clock.advance(1);
    const second = await world.post('free', { GroupIds: [group.id] });
    const order = (direction = 'desc'): Promise<number[]> =>
      listed('free', `filters=GroupId:${group.id}&sort=activity:${direction}`);
    expect(await order()).toEqual([second.id, first.id]);
    test.clock.advance(1);
    const comment = await world.comment(first.id, {}, 'basic');
    expect(await order()).toEqual([first.id, second.id]);
    expect(await order('asc')).toEqual([second.id, first.id]);
    test.clock.advance(1);
    await world.settings({ commentsRequireApproval: true });
    await world.comment(second.id, {}, 'basic');
    await world.settings({});
    expect(await order()).toEqual([first.id, second.id]);
    test.clock.advance(1);
    await world.comment(second.id, {}, 'basic');
    expect(await order()).toEqual([second.id, first.id]);
    test.clock.advance(1);
    await world.comment(first.id, { parentCommentId: comment.id }, 'basic');
    expect(await order()).toEqual([first.id, second.id]);
  });

  it('answers visitors of the platform that they name', async () => {
    const { id } = await world.post('free', { message: 'For members' });
    const { body } = await world
      .anonymous()
      .get(`/api/posts?PlatformId=${world.platformId()}&itemsPerPage=100`);
    expect(body.items.find((post: any) => post.id === id)).toMatchObject({ access: { canRead: false } });
    expect((await world.anonymous().get('/api/posts?PlatformId=2000000000')).body).toMatchObject({
      items: [],
      totalItems: 0,
    });
    const elsewhere = await world.as('admin', 'B').get('/api/posts');
    expect(elsewhere.body.items).toEqual([]);
  });

  it('costs three statements, and a read by id as many', async () => {
    const { id } = await world.post('free');
    expect(await test.queriesOf(() => world.as('free').get('/api/posts?itemsPerPage=100'))).toHaveLength(3);
    expect(await test.queriesOf(() => world.as('free').get(`/api/post/${id}`))).toHaveLength(3);
  });
});

describe('moderators of its group', () => {
  it('pin a post, which then comes first in the group', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'moderator', premium: 'owner' });
    inHours(3);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      test.clock.advance(1);
      ids.push((await world.post('free', { GroupIds: [group.id] })).id);
    }
    const [oldest = 0, middle = 0, newest = 0] = ids;
    const pinned = await world.as('basic').post(`/api/post/${oldest}/pin`, { pinned: true });
    expect([pinned.status, pinned.body.id, pinned.body.pinned]).toEqual([200, oldest, true]);
    const inGroup = `filters=GroupId:${group.id}`;
    expect(await listed('free', inGroup)).toEqual([oldest, newest, middle]);
    expect(await listed('free', `filters=UserId:${world.user('free').id}&itemsPerPage=3`)).toEqual([
      newest,
      middle,
      oldest,
    ]);
    expect((await world.as('premium').post(`/api/post/${middle}/pin`, { pinned: true })).status).toBe(200);
    expect(await listed('free', `${inGroup}&sort=createdAt:asc`)).toEqual([oldest, middle, newest]);
    await world.as('creator').post(`/api/post/${oldest}/pin`, { pinned: false });
    expect(await listed('free', inGroup)).toEqual([middle, newest, oldest]);
  });

  it('lock a post: it keeps its comments and takes no new ones, from anyone', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'moderator' });
    const { id } = await world.post('free', { GroupIds: [group.id] });
    const comment = await world.comment(id, {}, 'free');
    const locked = await world.as('basic').post(`/api/post/${id}/lock`, { locked: true });
    expect([locked.status, locked.body]).toMatchObject([200, { id, locked: true, chatEnabled: true }]);
    for (const person of ['free', 'basic', 'creator', 'admin'] as const) {
      const { status: refused, body } = await world
        .as(person)
        .post('/api/chat', { contentId: id, message: 'x' });
      expect([person, refused, body.error.code]).toEqual([person, 403, 'CHAT_DISABLED']);
    }
    const edit = await world.as('free').post('/api/chat', { id: comment.id, message: 'y' });
    expect([edit.status, edit.body.error.code]).toEqual([403, 'CHAT_DISABLED']);
    const list = await world.as('free').get(`/api/chat?contentId=${id}`);
    expect(list.body.items.map((one: any) => one.id)).toEqual([comment.id]);
    expect((await world.as('admin').post(`/api/post/${id}/lock`, { locked: false })).body.locked).toBe(false);
    expect((await world.as('free').post('/api/chat', { contentId: id, message: 'x' })).status).toBe(200);
  });
});

describe('DELETE /api/post/{id}', () => {
  it.each<[string, Person]>([
    ['its author', 'free'],
    ['a moderator of its group', 'basic'],
    ['an owner of its group', 'premium'],
    ['an admin', 'admin'],
  ])('by %s takes it away everywhere', async (_, person) => {
    const group = await world.groupOf({ free: 'member', basic: 'moderator', premium: 'owner' });
    const { id } = await world.post('free', { GroupIds: [group.id] });
    const { body } = await world.as(person).delete(`/api/post/${id}`);
    expect(body).toEqual({ message: 'Post deleted.', id });
    expect((await world.as(person).delete(`/api/post/${id}`)).status).toBe(404);
    expect([await status('free', id), await status('admin', id)]).toEqual([404, 404]);
    expect(await listed('admin', `filters=GroupId:${group.id}`)).toEqual([]);
    expect((await world.as('admin').get(`/api/content/${id}`)).status).toBe(404);
    expect((await world.as('admin').get(`/api/chat?contentId=${id}`)).status).toBe(404);
    const feed = (await world.as('admin').get('/api/feed?limit=100')).body.items;
    expect(feed.filter((item: any) => item.id === id)).toEqual([]);
  });
});
