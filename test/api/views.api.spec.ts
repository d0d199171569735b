import { World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start({ TRUST_PROXY: '127.0.0.1/32' });
  world = await World.create(test);
});
afterAll(() => test.stop());
beforeEach(() => test.clock.set(new Date(Date.now() + 60_000)));

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const view = (id: number, client: Client = world.anonymous(), body?: object): Promise<Answer> =>
  client.post(`/api/content/${id}/view`, body);
const visitor = (address: string, browser = 'Browser/1'): Client =>
  test.client({ 'x-forwarded-for': address, 'user-agent': browser });

/** What the card says, what the days add up to, and how many viewers are known. */
async function countsOf(id: number): Promise<[number, number, number]> {
  const { body } = await world.as('admin').get(`/api/content/${id}`);
  const [row] = await query(
    `select (select coalesce(sum(views), 0) from content_view_days where "ContentId" = $1)::int as days,
            (select count(*) from content_viewers where "ContentId" = $1)::int as viewers`,
    [id],
  );
  return [body.viewCount, row.days, row.viewers];
}

describe('POST /api/content/{id}/view', () => {
  it('answers 204 without a body, and takes none or what was seen', async () => {
    const { id } = await world.content();
    const answer = await view(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await view(id, world.as('free'), { seconds: 90, position: 75, unknown: true })).status).toBe(204);
    expect(await countsOf(id)).toEqual([2, 2, 2]);
    const rows = await query(
      `select viewer, seconds, position, "viewedAt" from content_viewers where "ContentId" = $1 order by viewer`,
      [id],
    );
    expect(rows).toEqual([
      {
        viewer: `user:${world.user('free').id}`,
        seconds: 90,
        position: 75,
        viewedAt: test.clock.now(),
      },
      {
        viewer: expect.stringMatching(/^visitor:/),
        seconds: null,
        position: null,
        viewedAt: test.clock.now(),
      },
    ]);
  });

  it('counts a viewer once in 30 minutes, however often they come', async () => {
    const { id, createdAt, updatedAt } = await world.content();
    const free = world.as('free');
    await view(id, free, { seconds: 1 });
    test.clock.advance(30 * 60 - 1);
    expect((await view(id, free, { seconds: 2 })).status).toBe(204);
    expect(await countsOf(id)).toEqual([1, 1, 1]);
    // Half an hour after the view that counted, not after the last one.
    test.clock.advance(1);
    await view(id, free, { seconds: 3 });
    expect(await countsOf(id)).toEqual([2, 2, 1]);
    const [{ seconds }] = await query(`select seconds from content_viewers where "ContentId" = $1`, [id]);
    expect(seconds).toBe(3);
    const { body } = await free.get(`/api/content/${id}`);
    expect(body).toMatchObject({ createdAt, updatedAt, viewCount: 2 });
  });

  it('counts one of twenty views at once, and again one after a while', async () => {
    const { id } = await world.content();
    const free = world.as('free');
    const twenty = async (): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 20 }, () => view(id, free)))).map(({ status }) => status);
    expect(new Set(await twenty())).toEqual(new Set([204]));
    expect(await countsOf(id)).toEqual([1, 1, 1]);
    test.clock.advance(30 * 60);
    expect(new Set(await twenty())).toEqual(new Set([204]));
    expect(await countsOf(id)).toEqual([2, 2, 1]);
  });

  it('counts each of twenty viewers at once, while others comment', async () => {
    const { id } = await world.content();
    const viewers = Array.from({ length: 20 }, (_, index) => view(id, visitor(`192.0.2.${index + 1}`)));
    const comments = [1, 2, 3, 4].map(() =>
      world.as('free').post('/api/chat', { contentId: id, message: 'Meanwhile' }),
    );
    const statuses = (await Promise.all([...viewers, ...comments])).map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(20).fill(204), 200, 200, 200, 200]);
    expect(await countsOf(id)).toEqual([20, 20, 20]);
  });

  it('tells visitors apart by address and browser, and keeps neither', async () => {
    const { id } = await world.content();
    const other = (await world.content()).id;
    for (const client of [visitor('198.51.100.7'), visitor('198.51.100.7'), visitor('198.51.100.7', 'B/2')])
      await view(id, client);
    await view(id, visitor('198.51.100.8'));
    // One household with addresses of its own choice.
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2']) await view(id, visitor(address));
    await view(other, visitor('198.51.100.7'));
    expect(await countsOf(id)).toEqual([4, 4, 4]);
    const rows = await query(`select * from content_viewers where "ContentId" = any($1)`, [[id, other]]);
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|2001:db8|Browser|B\/2/);
    // Not even that the same visitor looked at both.
    expect(new Set(rows.map(({ viewer }) => viewer)).size).toBe(5);
  });

  it('forgets visitors of longer ago, and keeps how far members came', async () => {
    const { id } = await world.content();
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) await view(id, visitor(address));
    await view(id, world.as('free'), { position: 75 });
    expect(await countsOf(id)).toEqual([4, 4, 4]);
    test.clock.advance(30 * 60);
    // A few with each view: more than all that the tests before left.
    const other = (await world.content()).id;
    for (let part = 10; part < 20; part++) await view(other, visitor(`203.0.113.${part}`));
    expect(await countsOf(id)).toEqual([4, 4, 1]);
    await view(id, visitor('203.0.113.1'));
    expect(await countsOf(id)).toEqual([5, 5, 2]);
  });

  it('counts by the day in UTC', async () => {
    const { id } = await world.content();
    test.clock.set('2030-03-01T23:59:59.999Z');
    await view(id, visitor('192.0.2.1'));
    await view(id, visitor('192.0.2.2'));
    test.clock.set('2030-03-02T00:00:00.000Z');
    await view(id, visitor('192.0.2.3'));
    const days = await query(
      `select day::text, views from content_view_days where "ContentId" = $1 order by day`,
      [id],
    );
    expect(days).toEqual([
      { day: '2030-03-01', views: 2 },
      { day: '2030-03-02', views: 1 },
    ]);
  });

  it('counts banned members and those of another platform, who read it too; the pending as visitors', async () => {
    const { id } = await world.content();
    for (const client of [world.as('banned'), world.as('admin', 'B'), world.as('pending')])
      expect((await view(id, client)).status).toBe(204);
    const rows = await query(`select viewer from content_viewers where "ContentId" = $1`, [id]);
    expect(new Set(rows.map(({ viewer }) => viewer.replace(/^visitor:.*/, 'a visitor')))).toEqual(
      new Set([`user:${world.user('banned').id}`, `user:${world.user('admin', 'B').id}`, 'a visitor']),
    );
    const members = (await world.content({ visibility: 'members' })).id;
    expect((await view(members, world.as('banned'))).status).toBe(204);
    expect(await countsOf(members)).toEqual([1, 1, 1]);
  });

  it('takes the cookie of our own pages', async () => {
    const { id } = await world.content();
    const fastify: any = test.app.getHttpAdapter().getInstance();
    const cookie = `token=${encodeURIComponent(fastify.signCookie(world.platforms.A.tokens.free))}`;
    const client = test.client({ cookie, origin: 'https://api.test' });
    expect((await view(id, client, {})).status).toBe(204);
    const [{ viewer }] = await query(`select viewer from content_viewers where "ContentId" = $1`, [id]);
    expect(viewer).toBe(`user:${world.user('free').id}`);
  });

  it('costs two statements, counted or not, and one for who looks', async () => {
    const { id } = await world.content();
    for (const _ of ['counted', 'known']) {
      expect(await test.queriesOf(() => view(id))).toHaveLength(2);
      expect(await test.queriesOf(() => view(id, world.as('free')))).toHaveLength(3);
    }
    const sorted = await world
      .anonymous()
      .get(`/api/contents?PlatformId=${world.platformId()}&sort=views:desc`);
    expect(sorted.body.items[0].viewCount).toBeGreaterThanOrEqual(sorted.body.items[1].viewCount);
  });
});
