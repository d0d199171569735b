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

/** Of the processor alone: whatever else runs on the machine does not count. */
async function cpuMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

describe('B13 a text that is made to be slow', () => {
  const marks = (length: number): string => `a${'\u0301\u0327'.repeat(length / 2)}`;
  const nested = '<b>'.repeat(68_000);

  it.each<[string, () => Promise<Answer>, number]>([
    [
      'a name at sign-up',
      () =>
        world.anonymous().post('/api/user/signup', {
          PlatformId: world.platformId(),
          email: 'slow@people.test',
          name: marks(200_000),
        }),
      400,
    ],
    ['a title', () => world.as('free').post('/api/post', { title: marks(200_000), message: 'a' }), 400],
    [
      'a description that members may not send',
      () => world.as('free').post('/api/content', { type: 'post', description: nested }),
      400,
    ],
    [
      'a description of marks',
      () =>
        world
          .as('creator')
          .post('/api/content', { type: 'article', title: 'a', description: marks(100_000) }),
      200,
    ],
  ])('%s', async (_what, send, status) => {
    let answer: Answer | undefined;
    const took = await cpuMilliseconds(async () => (answer = await send()));
    expect(answer?.status).toBe(status);
    // It was seconds, and grew with the square.
    expect(took).toBeLessThan(1000);
  });
});

describe('B9 a tag that is only text', () => {
  it('stays text in every teaser', async () => {
    const group = await world.group({ name: 'Inner circle' });
    const { id, slug } = await world.content({
      title: 'Teasing',
      visibility: 'members',
      GroupIds: [group.id],
      description: '<p>&lt;img src=x onerror=alert(1)&gt; &amp; more</p>',
    });
    const platformId = world.platformId();
    const { body } = await world
      .as('admin')
      .post('/api/collection', { name: 'Shelf', ContentIds: [id], GroupIds: [] });
    for (const url of [
      `/api/content/${id}/public`,
      `/api/content-by-slug/${slug}/${platformId}`,
      `/api/content/search?q=teasing&PlatformId=${platformId}`,
      `/api/contents?PlatformId=${platformId}&searchTerm=teasing`,
      `/api/collection/${body[0].id}/public`,
      `/embed/content/${id}`,
    ]) {
      const { text } = await world.anonymous().get(url);
      expect([url, text.includes('<img'), text.includes('&lt;img src=x')]).toEqual([url, false, true]);
    }
  });
});

describe('B16 what was approved', () => {
  const picture = (host: string): string => `https://${host}/a.png`;
  const change = (id: number, featuredImage: string | null): Promise<Answer> =>
    world.as('free').post('/api/content', { id, featuredImage });
  const settings = (values: object): Promise<Answer> =>
    world.as('admin').post(`/api/platform/${world.platformId()}/settings`, values);
  const post = async (message: string): Promise<{ id: number }> =>
    (await world.as('free').post('/api/post', { message })).body[0];
  const isSeen = async (id: number): Promise<boolean> =>
    (await world.as('otherFree').get(`/api/post/${id}`)).status === 200;

  it('waits again when its picture changes, and not when that goes', async () => {
    await settings({ commentsRequireApproval: true });
    const { id } = await post('Approved text');
    await world.as('admin').post('/api/post', { id });
    expect(await isSeen(id)).toBe(true);
    await change(id, null);
    expect(await isSeen(id)).toBe(true);
    await change(id, picture('example.org'));
    expect(await isSeen(id)).toBe(false);
    await world.as('admin').post('/api/post', { id });
    await change(id, picture('example.org'));
    expect(await isSeen(id)).toBe(true);
    await settings({ commentsRequireApproval: false });
  });

  it('is held when its picture comes from a blocked domain', async () => {
    await settings({ blockedWords: ['blocked.example'] });
    const { id } = await post('A text with a picture');
    await change(id, picture('cdn.blocked.example'));
    const { body } = await world.as('free').get(`/api/post/${id}`);
    expect([body.moderationCategory, await isSeen(id)]).toEqual(['Spam', false]);
    await change(id, picture('example.org'));
    expect(await isSeen(id)).toBe(true);
  });
});

describe('G who is banned from a group', () => {
  it('says nothing more there by changing an old post, and may take it away', async () => {
    const group = await world.group({ visibility: 'public', joinPolicy: 'open' });
    const free = world.as('free');
    await free.post(`/api/group/${group.id}/join`, {});
    const saved = await free.post('/api/post', { message: 'Friendly', GroupIds: [group.id] });
    const { id } = saved.body[0];
    await test.db.dataSource.query(
      `update group_members set status = 'banned' where "GroupId" = $1 and "UserId" = $2`,
      [group.id, world.user('free').id],
    );
    const edited = await free.post('/api/post', { id, message: 'Hostile' });
    expect([edited.status, edited.body.error.details]).toEqual([
      403,
      [{ field: 'GroupIds', issue: `group ${group.id} is closed to your posts` }],
    ]);
    const pictured = await free.post('/api/content', { id, featuredImage: 'https://example.org/a.png' });
    expect(pictured.status).toBe(403);
    expect((await world.as('admin').get(`/api/post/${id}`)).body.messagePlain).toBe('Friendly');
    const away = await free.post('/api/post', { id, message: 'Elsewhere', GroupIds: [] });
    expect(away).toMatchObject({ status: 200, body: [{ message: 'Elsewhere', Groups: [] }, false] });
  });
});

describe('Z what is kept for anonymous readers', () => {
  it('is never of another platform, and never old, whatever platform the query names', async () => {
    const { id } = await world.content({ title: 'Before' });
    const saved = await world.as('admin').post('/api/collection', { name: 'Rack', ContentIds: [id] });
    const [a, b] = [world.platformId('A'), world.platformId('B')];
    const urls = [
      `/api/content/${id}/public?PlatformId=${b}`,
      `/api/collection/${saved.body[0].id}/public?PlatformId=${b}`,
      `/api/collection/${a}?PlatformId=${b}`,
      `/api/collection/0${a}?PlatformId=${b}`,
      `/api/contents?%50latformId=${a}`,
      `/api/%63ontents?PlatformId=${a}`,
    ];
    for (const url of urls) {
      expect([url, (await world.anonymous().get(url)).text.includes('Before')]).toEqual([url, true]);
      await world.anonymous().get(url);
    }
    await world.as('admin').post('/api/content', { id, title: 'After' });
    for (const url of urls) {
      const { text } = await world.anonymous().get(url);
      expect([url, text.includes('Before'), text.includes('After')]).toEqual([url, false, true]);
    }
    expect((await world.anonymous().get(`/api/contents?PlatformId=${b}`)).text).not.toContain('After');
  });

  it('says 304 to nobody who sent a credential, dead ones among them', async () => {
    const url = `/api/contents?PlatformId=${world.platformId()}`;
    const token = world.platforms.A.tokens.free;
    const credentials: Record<string, string>[] = [
      { token },
      { authorization: `Bearer ${token}` },
      { cookie: 'token=dead' },
      { cookie: 'token=' },
    ];
    for (const headers of credentials) {
      const answer = await world.anonymous().get(url, { ...headers, 'if-none-match': '*' });
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-store' } });
      expect(answer.headers.etag).toBeUndefined();
    }
    const head = await world.anonymous().request('HEAD', url);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('follows the deletion of an author', async () => {
    const { id } = await world.content({ title: 'By someone' }, 'A', 'otherCreator');
    const url = `/api/content/${id}/public`;
    const name = 'otherCreator of A';
    for (let read = 0; read < 2; read++) expect((await world.anonymous().get(url)).text).toContain(name);
    await world.as('admin').delete(`/api/user/${world.user('otherCreator').id}`);
    expect((await world.anonymous().get(url)).text).not.toContain(name);
  });
});
