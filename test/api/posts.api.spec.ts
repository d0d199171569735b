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
const status = async (person: Person | null, id: number): Promise<number> =>
  (await (person ? world.as(person) : world.anonymous()).get(`/api/post/${id}`)).status;
const listed = async (person: Person, search: string): Promise<number[]> =>
  (await world.as(person).get(`/api/posts?${search}`)).body.items.map(({ id }: { id: number }) => id);

describe('POST /api/post', () => {
  it('answers the post, sanitised as comments are, and true', async () => {
    const author = world.user('free');
    const [post, created] = await world.savePost('free', {
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
      contentURI: null,
      video: null,
      options: null,
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
    const [long] = await world.savePost('free', { message: `<p>${'Fair 🌊 '.repeat(30)}</p>` });
    expect(long.title).toBe([...'Fair 🌊 '.repeat(30)].slice(0, 80).join('').trim());
    const [edited] = await world.savePost('free', { id: long.id, message: 'Another' });
    expect([edited.title, edited.slug]).toEqual(['Another', long.slug]);
    const [named] = await world.savePost('free', { id: long.id, title: 'Mine' });
    expect([named.title, named.message]).toEqual(['Mine', 'Another']);
    expect((await world.post('free', { id: long.id, message: 'Third' })).title).toBe('Mine');
  });

  it('changes what is sent and says that it is edited, for the author and admins', async () => {
    const group = await world.groupOf({ free: 'member' });
    const post = await world.post('free', { message: 'Before', GroupIds: [group.id] });
    expect(post.Groups).toEqual([{ id: group.id, name: group.name }]);
    const [closed, created] = await world.savePost('free', {
      id: post.id,
      chatEnabled: false,
      message: 'Before',
    });
    expect(created).toBe(false);
    expect(closed).toEqual({ ...post, chatEnabled: false, updatedAt: expect.any(String) });
    const edited = await world.post('admin', { id: post.id, message: '<p>After</p>' });
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
    expect((await world.post('free', { id: post.id, GroupIds: [] })).Groups).toEqual([]);
  });

  it('answers the same text within a minute with the post that is there', async () => {
    test.clock.set(new Date());
    const [first] = await world.savePost('free', { message: '<p>Twice</p>' });
    test.clock.advance(59);
    expect(await world.savePost('free', { message: '<p>Twice</p><script>x</script>' })).toEqual([
      first,
      false,
    ]);
    const byContent = await world
      .as('free')
      .post('/api/content', { type: 'post', description: '<p>Twice</p>' });
    expect([byContent.body[0].id, byContent.body[1]]).toEqual([first.id, false]);
    const [other, otherIsNew] = await world.savePost('basic', { message: '<p>Twice</p>' });
    expect([other.id === first.id, otherIsNew]).toEqual([false, true]);
    test.clock.advance(2);
    const [later, laterIsNew] = await world.savePost('free', { message: '<p>Twice</p>' });
    expect([later.id === first.id, laterIsNew]).toEqual([false, true]);
    await world.as('free').delete(`/api/post/${later.id}`);
    expect((await world.savePost('free', { message: '<p>Twice</p>' }))[1]).toBe(true);
  });

  it('makes one post of ten at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.savePost('free', { message: 'At once' })),
    );
    expect(new Set(answers.map(([{ id }]) => id)).size).toBe(1);
    expect(answers.filter(([, created]) => created)).toHaveLength(1);
  });

  it('lets staff post in any group, and members where its policy lets them', async () => {
    const group = await world.groupOf({ free: 'moderator' }, { postPolicy: 'moderators' });
    for (const person of ['free', 'creator', 'admin'] as const) {
      expect((await world.post(person, { GroupIds: [group.id] })).Groups).toHaveLength(1);
    }
  });

  it('keeps a post in a group that has closed, though none could be moved there', async () => {
    const group = await world.groupOf({ free: 'member' });
    const post = await world.post('free', { GroupIds: [group.id] });
    await query(`update groups set archived = true where id = $1`, [group.id]);
    expect(await world.post('free', { id: post.id, message: 'Still', GroupIds: [group.id] })).toMatchObject({
      message: 'Still',
      Groups: [{ id: group.id }],
    });
  });

  it('warns where a group gates nothing, since posts are as visible as the platform says', async () => {
    const group = await world.groupOf({ free: 'member' });
    await world.settings({ defaultVisibility: 'public' });
    const { headers, body } = await world
      .as('free')
      .post('/api/post', { message: 'For all', GroupIds: [group.id] });
    await world.settings({});
    expect([body[0].visibility, headers['x-warning']]).toEqual(['public', 'gate-without-effect']);
    expect((await world.anonymous().get(`/api/post/${body[0].id}`)).body.message).toBe('For all');
    expect((await world.as('free', 'B').get(`/api/post/${body[0].id}`)).body.myReactions).toBeUndefined();
  });
});

describe('what is held', () => {
  afterEach(() => world.settings({}));

  it('waits for approval, seen by its author, staff and the moderators of its group', async () => {
    const group = await world.groupOf({ free: 'member', basic: 'member', premium: 'moderator' });
    await world.settings({ commentsRequireApproval: true });
    const post = await world.post('free', { GroupIds: [group.id] });
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
    await world.settings({ commentsRequireApproval: true });
    const { id } = await world.post('free');
    expect((await world.post('admin', { id })).awaitsApproval).toBe(false);
    expect(await status('basic', id)).toBe(200);
    expect((await world.post('free', { id, chatEnabled: false })).awaitsApproval).toBe(false);
    expect((await world.post('free', { id, title: 'Another' })).awaitsApproval).toBe(true);
    await world.post('admin', { id });
    expect((await world.post('free', { id, message: 'Another' })).awaitsApproval).toBe(true);
    expect(await status('basic', id)).toBe(404);
    expect((await world.post('creator')).awaitsApproval).toBe(false);
  });

  it('is held whichever route the member takes', async () => {
    await world.settings({ commentsRequireApproval: true });
    const { body } = await world.as('free').post('/api/content', { type: 'post', description: 'By content' });
    expect(await status('basic', body[0].id)).toBe(404);
    await world.post('admin', { id: body[0].id });
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
    const post = await world.post('free', { message: '<p>Buy</p>' });
    await world.post('free', { id: post.id, title: 'A <b>' });
    const judged = judge.mock.calls.map(([, text]) => text);
    judge.mockRestore();
    expect(judged).toEqual([
      { message: '<p>Buy</p>', messagePlain: 'Buy' },
      { message: '<p>A &lt;b&gt;</p><p>Buy</p>', messagePlain: 'A <b>\nBuy' },
    ]);
    expect(post.moderationCategory).toBe('Spam');
    expect([await status('basic', post.id), await status('creator', post.id)]).toEqual([404, 200]);
    expect((await world.post('free', { id: post.id, message: 'Kind' })).moderationCategory).toBeNull();
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
    await world.settings({ commentsRequireApproval: true });
    const staff = await world
      .as('creator')
      .post('/api/content', { type: 'post', title: 'T', description: html });
    await world.settings({});
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
