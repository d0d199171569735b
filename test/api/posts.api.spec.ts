import { ModerationService } from '../../src/moderation/moderation.service';
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

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const settings = (values: object): Promise<unknown> =>
  query(`update platforms set settings = $2 where id = $1`, [world.platformId(), values]);
/** Later than what the tests before made. */
const inHours = (hours: number): void => test.clock.set(new Date(Date.now() + hours * 3_600_000));
let said = 0;
const save = async (person: Person, values: object = {}): Promise<any> => {
  const { status, body } = await world
    .as(person)
    .post('/api/post', { ...('id' in values ? {} : { message: `Said ${++said}` }), ...values });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};
const posted = async (person: Person, values: object = {}): Promise<any> => (await save(person, values))[0];
const joined = async (people: Partial<Record<Person, string>>, values: object = {}): Promise<any> => {
  const group = await world.group({ name: 'Crew', ...values });
  for (const [person, role] of Object.entries(people)) {
    await query(
      `insert into group_members ("PlatformId", "GroupId", "UserId", role) values ($1, $2, $3, $4)`,
      [world.platformId(), group.id, world.user(person as Person).id, role],
    );
  }
  return group;
};
const status = async (person: Person | null, id: number): Promise<number> =>
  (await (person ? world.as(person) : world.anonymous()).get(`/api/post/${id}`)).status;
const listed = async (person: Person, search: string): Promise<number[]> =>
  (await world.as(person).get(`/api/posts?${search}`)).body.items.map(({ id }: { id: number }) => id);

describe('POST /api/post', () => {
  it('answers the post, sanitised as comments are, and true', async () => {
    const author = world.user('free');
    const [post, created] = await save('free', {
      message:
        '<h1>Crew</h1> <p>wanted <b onclick="x">now</b><script>x</script></p><img src="https://a.test/a">',
    });
    expect(created).toBe(true);
    const message = 'Crew <p>wanted <b>now</b></p>';
    expect(post).toEqual({
      id: expect.any(Number),
      title: 'Crew wanted now',
      slug: 'crew-wanted-now',
      description: message,
      message,
      messagePlain: 'Crew\nwanted now',
      type: 'post',
      visibility: 'members',
      featuredImage: null,
      featured: false,
      chatEnabled: true,
      publishedDate: null,
      expireDate: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      PlatformId: world.platformId(),
      UserId: author.id,
      Groups: [],
      Keywords: [],
      User: { id: author.id, name: author.name, photoUrl: null, role: 'free' },
      commentCount: 0,
      viewCount: 0,
      pinned: false,
      locked: false,
      access: { canRead: true, locked: false },
      reactions: [],
      myReactions: [],
      isEdited: false,
      editedAt: null,
      moderationCategory: null,
      awaitsApproval: false,
      deleted: false,
    });
    expect((await world.as('free').get(`/api/post/${post.id}`)).body).toEqual(post);
  });

  it('takes the first 80 characters of the text as title, which then follows the text', async () => {
    const [long] = await save('free', { message: `<p>${'Fair 🌊 '.repeat(30)}</p>` });
    expect(long.title).toBe([...'Fair 🌊 '.repeat(30)].slice(0, 80).join('').trim());
    const [edited] = await save('free', { id: long.id, message: 'Another' });
    expect([edited.title, edited.slug]).toEqual(['Another', long.slug]);
    const [named] = await save('free', { id: long.id, title: 'Mine' });
    expect([named.title, named.message]).toEqual(['Mine', 'Another']);
    expect((await posted('free', { id: long.id, message: 'Third' })).title).toBe('Mine');
  });

  it('changes what is sent and says that it is edited, for the author and admins', async () => {
    const group = await joined({ free: 'member' });
    const post = await posted('free', { message: 'Before', GroupIds: [group.id] });
    expect(post.Groups).toEqual([{ id: group.id, name: 'Crew' }]);
    const [closed, created] = await save('free', { id: post.id, chatEnabled: false, message: 'Before' });
    expect(created).toBe(false);
    expect(closed).toEqual({ ...post, chatEnabled: false, updatedAt: expect.any(String) });
    const edited = await posted('admin', { id: post.id, message: '<p>After</p>' });
    expect(edited).toMatchObject({
      message: '<p>After</p>',
      messagePlain: 'After',
      title: 'After',
      isEdited: true,
      editedAt: expect.stringMatching(/Z$/),
      chatEnabled: false,
      Groups: [{ id: group.id }],
      UserId: world.user('free').id,
    });
    expect((await posted('free', { id: post.id, GroupIds: [] })).Groups).toEqual([]);
  });

  it('answers the same text within a minute with the post that is there', async () => {
    test.clock.set(new Date());
    const [first] = await save('free', { message: '<p>Twice</p>' });
    test.clock.advance(59);
    expect(await save('free', { message: '<p>Twice</p><script>x</script>' })).toEqual([first, false]);
    const byContent = await world
      .as('free')
      .post('/api/content', { type: 'post', description: '<p>Twice</p>' });
    expect([byContent.body[0].id, byContent.body[1]]).toEqual([first.id, false]);
    const [other, otherIsNew] = await save('basic', { message: '<p>Twice</p>' });
    expect([other.id === first.id, otherIsNew]).toEqual([false, true]);
    test.clock.advance(2);
    const [later, laterIsNew] = await save('free', { message: '<p>Twice</p>' });
    expect([later.id === first.id, laterIsNew]).toEqual([false, true]);
    await world.as('free').delete(`/api/post/${later.id}`);
    expect((await save('free', { message: '<p>Twice</p>' }))[1]).toBe(true);
  });

  it('makes one post of ten at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => save('free', { message: 'At once' })));
    expect(new Set(answers.map(([{ id }]) => id)).size).toBe(1);
    expect(answers.filter(([, created]) => created)).toHaveLength(1);
  });

  it('lets staff post in any group, and members where its policy lets them', async () => {
    const group = await joined({ free: 'moderator' }, { postPolicy: 'moderators' });
    for (const person of ['free', 'creator', 'admin'] as const) {
      expect((await posted(person, { GroupIds: [group.id] })).Groups).toHaveLength(1);
    }
  });

  it('keeps a post in a group that has closed, though none could be moved there', async () => {
    const group = await joined({ free: 'member' });
    const post = await posted('free', { GroupIds: [group.id] });
    await query(`update groups set archived = true where id = $1`, [group.id]);
    expect(await posted('free', { id: post.id, message: 'Still', GroupIds: [group.id] })).toMatchObject({
      message: 'Still',
      Groups: [{ id: group.id }],
    });
  });

  it('warns where a group gates nothing, since posts are as visible as the platform says', async () => {
    const group = await joined({ free: 'member' });
    await settings({ defaultVisibility: 'public' });
    const { headers, body } = await world
      .as('free')
      .post('/api/post', { message: 'For all', GroupIds: [group.id] });
    await settings({});
    expect([body[0].visibility, headers['x-warning']]).toEqual(['public', 'gate-without-effect']);
    expect((await world.anonymous().get(`/api/post/${body[0].id}`)).body.message).toBe('For all');
    expect((await world.as('free', 'B').get(`/api/post/${body[0].id}`)).body.myReactions).toBeUndefined();
  });
});

describe('what is held', () => {
  afterEach(() => settings({}));

  it('waits for approval, seen by its author, staff and the moderators of its group', async () => {
    const group = await joined({ free: 'member', basic: 'member', premium: 'moderator' });
    await settings({ commentsRequireApproval: true });
    const post = await posted('free', { GroupIds: [group.id] });
    expect([post.awaitsApproval, post.moderationCategory]).toEqual([true, null]);
    for (const [person, expected] of [
      ['free', 200],
      ['premium', 200],
      ['creator', 200],
      ['admin', 200],
      ['basic', 404],
      ['otherFree', 404],
    ] as const) {
      expect([person, await status(person, post.id)]).toEqual([person, expected]);
      const ids = await listed(person, `filters=GroupId:${group.id}`);
      expect([person, ids]).toEqual([person, expected === 200 ? [post.id] : []]);
      const feed = (await world.as(person).get('/api/feed?limit=5')).body.items.map((item: any) => item.id);
      expect([person, feed.includes(post.id)]).toEqual([person, expected === 200]);
    }
    expect(await status(null, post.id)).toBe(404);
  });

  it('is released by an admin who saves it, and held again when its text changes, not otherwise', async () => {
    await settings({ commentsRequireApproval: true });
    const { id } = await posted('free');
    expect((await posted('admin', { id })).awaitsApproval).toBe(false);
    expect(await status('basic', id)).toBe(200);
    expect((await posted('free', { id, chatEnabled: false })).awaitsApproval).toBe(false);
    expect((await posted('free', { id, title: 'Another' })).awaitsApproval).toBe(true);
    await posted('admin', { id });
    expect((await posted('free', { id, message: 'Another' })).awaitsApproval).toBe(true);
    expect(await status('basic', id)).toBe(404);
    expect((await posted('creator')).awaitsApproval).toBe(false);
  });

  it('is held whichever route the member takes', async () => {
    await settings({ commentsRequireApproval: true });
    const { body } = await world.as('free').post('/api/content', { type: 'post', description: 'By content' });
    expect(await status('basic', body[0].id)).toBe(404);
    await posted('admin', { id: body[0].id });
    await world.as('free').post('/api/content', { id: body[0].id, description: 'Changed' });
    expect((await world.as('free').get(`/api/post/${body[0].id}`)).body).toMatchObject({
      message: 'Changed',
      isEdited: true,
      awaitsApproval: true,
    });
  });

  it('carries its category, judged with a title of its own', async () => {
    const judge = jest
      .spyOn(test.get(ModerationService), 'judge')
      .mockResolvedValue({ moderationCategory: 'Spam', awaitsApproval: false, moderationRule: 'links' });
    const post = await posted('free', { message: '<p>Buy</p>' });
    await posted('free', { id: post.id, title: 'A <b>' });
    const judged = judge.mock.calls.map(([, text]) => text);
    judge.mockRestore();
    expect(judged).toEqual([
      { message: '<p>Buy</p>', messagePlain: 'Buy' },
      { message: '<p>A &lt;b&gt;</p><p>Buy</p>', messagePlain: 'A <b>\nBuy' },
    ]);
    expect(post.moderationCategory).toBe('Spam');
    expect([await status('basic', post.id), await status('creator', post.id)]).toEqual([404, 200]);
    expect((await posted('free', { id: post.id, message: 'Kind' })).moderationCategory).toBeNull();
    expect(await status('basic', post.id)).toBe(200);
  });
});

describe("a member's POST /api/content", () => {
  it('is sanitised as a post, while staff write articles of any type', async () => {
    const html = '<h2>Head</h2><p>Body</p>';
    const member = await world.as('free').post('/api/content', { type: 'post', description: html });
    expect(member.body[0]).toMatchObject({
      type: 'post',
      description: 'Head<p>Body</p>',
      title: 'Head Body',
    });
    await settings({ commentsRequireApproval: true });
    const staff = await world
      .as('creator')
      .post('/api/content', { type: 'post', title: 'T', description: html });
    await settings({});
    expect(staff.body[0].description).toBe(html);
    expect(await status('basic', staff.body[0].id)).toBe(200);
  });

  it('sets keywords and image of the post', async () => {
    const [keyword] = (await world.as('creator').post('/api/keyword', { title: 'Winds' })).body;
    const image = 'https://example.org/a.png';
    const { body } = await world.as('free').post('/api/content', {
      type: 'post',
      description: 'With keywords',
      KeywordIds: [keyword.id],
      featuredImage: image,
    });
    expect(body[0]).toMatchObject({ Keywords: [{ id: keyword.id }], featuredImage: image });
    const edited = await world.as('free').post('/api/content', { id: body[0].id, KeywordIds: [] });
    expect(edited.body[0]).toMatchObject({ Keywords: [], description: 'With keywords' });
  });
});

describe('a post of a group', () => {
  it('is a teaser to others, whose text is no markup in the message', async () => {
    const group = await joined({ free: 'member', basic: 'member' });
    const { id } = await posted('free', {
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

  it('is not found by a group that the viewer must not know of', async () => {
    const group = await joined({ free: 'member' }, { visibility: 'hidden' });
    const { id } = await posted('free', { GroupIds: [group.id] });
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
      ids.unshift((await posted(person)).id);
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
    const group = await joined({ free: 'member', basic: 'member' });
    inHours(2);
    const first = await posted('free', { GroupIds: [group.id] });
    test.clock.advance(1);
    const second = await posted('free', { GroupIds: [group.id] });
    const order = (direction = 'desc'): Promise<number[]> =>
      listed('free', `filters=GroupId:${group.id}&sort=activity:${direction}`);
    expect(await order()).toEqual([second.id, first.id]);
    test.clock.advance(1);
    const comment = await world.comment(first.id, {}, 'basic');
    expect(await order()).toEqual([first.id, second.id]);
    expect(await order('asc')).toEqual([second.id, first.id]);
    test.clock.advance(1);
    await settings({ commentsRequireApproval: true });
    await world.comment(second.id, {}, 'basic');
    await settings({});
    expect(await order()).toEqual([first.id, second.id]);
    test.clock.advance(1);
    await world.comment(second.id, {}, 'basic');
    expect(await order()).toEqual([second.id, first.id]);
    test.clock.advance(1);
    await world.comment(first.id, { parentCommentId: comment.id }, 'basic');
    expect(await order()).toEqual([first.id, second.id]);
  });

  it('answers visitors of the platform that they name', async () => {
    const { id } = await posted('free', { message: 'For members' });
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
    const { id } = await posted('free');
    expect(await test.queriesOf(() => world.as('free').get('/api/posts?itemsPerPage=100'))).toHaveLength(3);
    expect(await test.queriesOf(() => world.as('free').get(`/api/post/${id}`))).toHaveLength(3);
  });
});

describe('moderators of its group', () => {
  it('pin a post, which then comes first in the group', async () => {
    const group = await joined({ free: 'member', basic: 'moderator', premium: 'owner' });
    inHours(3);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      test.clock.advance(1);
      ids.push((await posted('free', { GroupIds: [group.id] })).id);
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
    const group = await joined({ free: 'member', basic: 'moderator' });
    const { id } = await posted('free', { GroupIds: [group.id] });
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
    const group = await joined({ free: 'member', basic: 'moderator', premium: 'owner' });
    const { id } = await posted('free', { GroupIds: [group.id] });
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
