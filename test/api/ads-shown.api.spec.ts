import type { AdDto } from '../../src/ads/dto/ad.dto';
import { type Person, World } from '../factories/world';
import type { Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
beforeEach(() => query('delete from ads'));
afterEach(() => test.clock.reset());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const titles = async (more = '', client?: Client): Promise<string[]> =>
  (await world.runningAds(more, client)).map(({ title }) => title);
const counters = async (id: number): Promise<unknown> =>
  (await query(`select impressions, clicks from ads where id = $1`, [id]))[0];

describe('GET /api/ads', () => {
  it('shows the public fields and a token, to nobody else to keep', async () => {
    const ad = await world.ad({ body: 'Text', imageUrl: 'https://example.org/a.jpg', callToAction: 'Go' });
    const { headers, body } = await world.anonymous().get(`/api/ads?PlatformId=${world.platformId()}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual([
      {
        id: ad.id,
        title: 'An ad',
        body: 'Text',
        imageUrl: 'https://example.org/a.jpg',
        linkUrl: 'https://example.org/',
        callToAction: 'Go',
        placement: 'home',
        priority: 0,
        impressionToken: expect.stringMatching(/^\d{13}\.[\w-]{16}\.[\w-]{43}$/),
      },
    ]);
    expect(await world.adToken(ad.id)).not.toBe(await world.adToken(ad.id));
  });

  it('orders by priority, then id, and takes five unless asked', async () => {
    for (const [title, priority] of Object.entries({ a: 0, b: 9, c: 0, d: 100, e: 9, f: 1 })) {
      await world.ad({ title, priority });
    }
    expect(await titles()).toEqual(['d', 'b', 'e', 'f', 'a']);
    expect(await titles('limit=2')).toEqual(['d', 'b']);
    expect(await titles('limit=50')).toEqual(['d', 'b', 'e', 'f', 'a', 'c']);
    for (let index = 0; index < 100; index++) await world.ad({ title: `g${index}` });
    for (const limit of [100, 101]) expect(await titles(`limit=${limit}`)).toHaveLength(100);
  });

  it('keeps placements, states and platforms apart', async () => {
    for (const placement of ['home', 'collection', 'content', 'feed']) {
      await world.ad({ title: placement, placement });
    }
    for (const status of ['draft', 'paused']) await world.ad({ title: status, status });
    await world.ad({ title: 'foreign' }, 'creator', 'B');
    expect(await titles('limit=50')).toEqual(['home', 'collection', 'content', 'feed']);
    for (const placement of ['home', 'collection', 'content', 'feed']) {
      expect(await titles(`placement=${placement}`)).toEqual([placement]);
    }
    expect((await world.as('free', 'B').get('/api/ads')).body).toMatchObject([{ title: 'foreign' }]);
    expect((await world.anonymous().get('/api/ads?PlatformId=2147483647')).body).toEqual([]);
  });

  it('shows each role its own; visitors, pending members and strangers have none', async () => {
    await world.ad({ title: 'all' });
    await world.ad({ title: 'free', roles: ['free'] });
    await world.ad({ title: 'staff', roles: ['admin', 'creator'] });
    await world.ad({ title: 'unpaid', excludeRoles: ['basic', 'premium'] });
    await world.ad({ title: 'none', roles: ['premium'], excludeRoles: ['premium'] });
    const seen = {
      anonymous: ['all', 'unpaid'],
      stranger: ['all', 'unpaid'],
      pending: ['all', 'unpaid'],
      free: ['all', 'free', 'unpaid'],
      banned: ['all', 'free', 'unpaid'],
      basic: ['all'],
      premium: ['all'],
      creator: ['all', 'staff', 'unpaid'],
      admin: ['all', 'staff', 'unpaid'],
    };
    for (const [who, expected] of Object.entries(seen)) {
      const client =
        who === 'anonymous'
          ? world.anonymous()
          : who === 'stranger'
            ? world.as('admin', 'B')
            : world.as(who as Person);
      expect([who, await titles('', client)]).toEqual([who, expected]);
    }
  });

  it('shows an ad from its first to its last instant, both included', async () => {
    const from = '2026-03-01T12:00:00.000Z';
    const to = '2026-03-01T13:00:00.000Z';
    await world.ad({ title: 'both', startDate: from, endDate: to });
    await world.ad({ title: 'from', startDate: from });
    await world.ad({ title: 'to', endDate: to });
    const shelf = (await world.collection()).id;
    await world.ad({ title: 'on it', startDate: from, endDate: to, CollectionIds: [shelf] });
    const embedded = async (): Promise<string[]> => {
      const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
      return body.find(({ id }: { id: number }) => id === shelf).Ads.map((ad: AdDto) => ad.title);
    };
    for (const [at, expected] of Object.entries({
      '2026-03-01T11:59:59.999Z': [['to'], []],
      [from]: [['both', 'from', 'to', 'on it'], ['on it']],
      [to]: [['both', 'from', 'to', 'on it'], ['on it']],
      '2026-03-01T13:00:00.001Z': [['from'], []],
    })) {
      test.clock.set(at);
      expect([at, [await titles(), await embedded()]]).toEqual([at, expected]);
    }
  });

  it('costs one statement, and one more to know the member', async () => {
    const CollectionId = (await world.collection()).id;
    for (let index = 0; index < 6; index++) await world.ad({ CollectionIds: [CollectionId] });
    const cost = async (more: string, client?: Client): Promise<number> =>
      (await test.queriesOf(() => world.runningAds(more, client))).length;
    expect([
      await cost('limit=50'),
      await cost(`CollectionId=${CollectionId}`),
      await cost(`CollectionId=${CollectionId}`, world.as('free')),
    ]).toEqual([1, 1, 2]);
  });
});

describe('ads on collections', () => {
  it('are those made for one and those for all', async () => {
    const [one, two] = [(await world.collection()).id, (await world.collection()).id];
    await world.ad({ title: 'one', CollectionIds: [one] });
    await world.ad({ title: 'pinned', placement: 'collection', CollectionIds: [one], priority: 3 });
    await world.ad({ title: 'everywhere', placement: 'collection' });
    await world.ad({ title: 'home' });
    expect(await titles(`CollectionId=${one}`)).toEqual(['pinned', 'one', 'everywhere']);
    expect(await titles(`CollectionId=${two}`)).toEqual(['everywhere']);
    expect(await titles(`CollectionId=${one}&placement=home`)).toEqual(['one']);
    const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    const ads = new Map<number, object[]>(body.map((shown: any) => [shown.id, shown.Ads]));
    const seen = async (id: number): Promise<object[]> =>
      (await world.runningAds(`CollectionId=${id}`)).map((ad) => ({ ...ad, impressionToken: undefined }));
    expect(ads.get(one)).toHaveLength(3);
    // Embedded ones have no token: visitors share that answer.
    for (const id of [one, two]) expect(ads.get(id)).toEqual(await seen(id));
    expect(JSON.stringify(body)).not.toContain('impressionToken');
  });

  it('are embedded by priority, fifty on each at most', async () => {
    const ids = [(await world.collection()).id, (await world.collection()).id];
    await query(
      `insert into ads ("PlatformId", "UserId", title, "titleKey", "linkUrl", placement, status, priority)
       select $1, $2, n, n, 'https://example.org/', 'collection', 'active', n from generate_series(1, 60) n`,
      [world.platformId(), world.user('creator').id],
    );
    const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    const expected = Array.from({ length: 50 }, (_, index) => 60 - index);
    for (const id of ids) {
      const { Ads } = body.find((shown: any) => shown.id === id);
      expect(Ads.map(({ priority }: AdDto) => priority)).toEqual(expected);
    }
  });

  it('are for the viewer’s role there as well', async () => {
    const id = (await world.collection()).id;
    await world.ad({ title: 'free', roles: ['free'], CollectionIds: [id] });
    const seenBy = async (client: Client): Promise<string[]> => {
      const { body } = await client.get(`/api/collection/${world.platformId()}`);
      return body.find((shown: any) => shown.id === id).Ads.map((ad: AdDto) => ad.title);
    };
    expect([
      await seenBy(world.anonymous()),
      await seenBy(world.as('basic')),
      await seenBy(world.as('free', 'B')),
      await seenBy(world.as('free')),
    ]).toEqual([[], [], [], ['free']]);
  });

  it('tell nothing of a collection that the viewer may not see', async () => {
    const group = await world.group();
    await query(`insert into group_members ("PlatformId", "GroupId", "UserId") values ($1, $2, $3)`, [
      world.platformId(),
      group.id,
      world.user('basic').id,
    ]);
    const gated = (await world.collection({ GroupIds: [group.id] })).id;
    const future = (await world.collection({ publishedDate: '2100-01-01' })).id;
    const hidden = (await world.collection({ showOnHomepage: false })).id;
    const foreign = (await world.collection({}, 'B')).id;
    await world.ad({ title: 'gated', placement: 'collection', CollectionIds: [gated] });
    await world.ad({ title: 'future', placement: 'collection', CollectionIds: [future] });
    await world.ad({ title: 'hidden', placement: 'collection', CollectionIds: [hidden] });
    await world.ad({ title: 'everywhere', placement: 'collection' });
    const missing = 2_147_483_647;
    const seenBy = async (client: Client): Promise<string[][]> => {
      const seen: string[][] = [await titles('limit=50', client)];
      for (const id of [gated, future, hidden, foreign, missing]) {
        seen.push(await titles(`CollectionId=${id}`, client));
      }
      return seen;
    };
    const onHidden = ['hidden', 'everywhere'];
    for (const client of [world.anonymous(), world.as('free'), world.as('admin', 'B')]) {
      expect(await seenBy(client)).toEqual([onHidden, [], [], onHidden, [], []]);
    }
    for (const client of [world.as('basic'), world.as('admin')]) {
      expect(await seenBy(client)).toEqual([
        ['gated', ...onHidden],
        ['gated', 'everywhere'],
        [],
        onHidden,
        [],
        [],
      ]);
    }
  });

  it('do not spread to all when their collection is deleted', async () => {
    const [one, two] = [(await world.collection()).id, (await world.collection()).id];
    const { id } = await world.ad({ title: 'pinned', placement: 'collection', CollectionIds: [one] });
    await query(`delete from collections where id = $1`, [one]);
    expect([await titles(`CollectionId=${two}`), await titles()]).toEqual([[], []]);
    const { body } = await world.as('creator').post('/api/ad', { id, CollectionIds: [] });
    expect(body[0].CollectionIds).toEqual([]);
    expect(await titles(`CollectionId=${two}`)).toEqual(['pinned']);
  });
});

describe('counting', () => {
  it('counts an impression and a click of one token, each once', async () => {
    const { id } = await world.ad();
    const impressionToken = await world.adToken(id);
    const stamp = (): Promise<unknown> => query('select stamp from platform_stamps order by 1');
    const before = await stamp();
    for (let turn = 0; turn < 2; turn++) {
      const seen = await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken });
      expect([seen.status, seen.text]).toEqual([204, '']);
      const clicked = await world.as('free').post(`/api/ad/${id}/click`, { impressionToken });
      expect([clicked.status, clicked.body]).toEqual([200, { url: 'https://example.org/' }]);
    }
    expect(await counters(id)).toEqual({ impressions: 1, clicks: 1 });
    await world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken: await world.adToken(id) });
    expect(await counters(id)).toEqual({ impressions: 2, clicks: 1 });
    // Nothing that readers see has changed.
    expect(await stamp()).toEqual(before);
  });

  it.each([
    ['impression', 204, { impressions: 1, clicks: 0 }],
    ['click', 200, { impressions: 0, clicks: 1 }],
  ])('20 equal calls at once count one %s', async (kind, status, expected) => {
    const { id } = await world.ad();
    const impressionToken = await world.adToken(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.anonymous().post(`/api/ad/${id}/${kind}`, { impressionToken })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await counters(id)).toEqual(expected);
  });

  it('loses none of 20 different ones at once, nor what is saved meanwhile', async () => {
    const { id } = await world.ad();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => world.adToken(id)));
    const calls = tokens.flatMap((impressionToken, turn) => [
      world.anonymous().post(`/api/ad/${id}/impression`, { impressionToken }),
      world.anonymous().post(`/api/ad/${id}/click`, { impressionToken }),
      ...(turn % 4 === 0 ? [world.as('creator').post('/api/ad', { id, priority: turn })] : []),
    ]);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([]);
    expect(await counters(id)).toEqual({ impressions: 20, clicks: 20 });
  });

  it('takes the token of an ad that has ended since, and of banned members', async () => {
    const { id } = await world.ad();
    const impressionToken = await world.adToken(id);
    await world.as('creator').post('/api/ad', { id, status: 'paused' });
    const banned = world.as('banned');
    expect((await banned.post(`/api/ad/${id}/impression`, { impressionToken })).status).toBe(204);
    expect((await banned.post(`/api/ad/${id}/click`, { impressionToken })).status).toBe(200);
    expect(await counters(id)).toEqual({ impressions: 1, clicks: 1 });
  });

  it('forgets events after two days, and costs one statement', async () => {
    const { id } = await world.ad();
    const impressionToken = await world.adToken(id);
    const event = `insert into ad_events ("PlatformId", "AdId", nonce, kind, "createdAt")
      select $1, $2, prefix || n, 'click', now() - age from generate_series(1, 15) n,
             (values ('old', interval '48 hours 1 second'), ('new', interval '47 hours')) as e (prefix, age)`;
    await query(event, [world.platformId(), id]);
    const queries = await test.queriesOf(() =>
      world.anonymous().post(`/api/ad/${id}/click`, { impressionToken }),
    );
    expect(queries).toHaveLength(1);
    const left = await query(`select nonce from ad_events where "AdId" = $1 order by nonce collate "C"`, [
      id,
    ]);
    expect(left.filter(({ nonce }) => nonce.startsWith('old'))).toEqual([]);
    expect(left).toHaveLength(16);
  });
});
