import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const titles = async (q: string, more = ''): Promise<string[]> => {
  const { status, body } = await world
    .as('free')
    .get(`/api/content/search?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return body.items.map((item: { title: string }) => item.title);
};

describe('the three shapes of the search', () => {
  it('answer alike, signed in or not', async () => {
    const item = await world.content({ title: 'Lighthouse keeper', description: '<p>On <b>rocks</b></p>' });
    await world.content({ title: 'Lighthouse elsewhere' }, 'B');
    const author = world.user('creator');
    const expected = {
      items: [
        {
          id: item.id,
          title: 'Lighthouse keeper',
          description: '<p>On <b>rocks</b></p>',
          type: 'article',
          visibility: 'public',
          author: { id: author.id, name: author.name },
          createdAt: item.createdAt,
          updatedAt: item.updatedAt,
        },
      ],
    };
    const platform = world.platformId();
    for (const path of [
      `search?PlatformId=${platform}&q=lighthouse`,
      `search/${platform}?q=lighthouse`,
      `${platform}?q=lighthouse`,
    ]) {
      for (const client of [
        world.anonymous(),
        world.as('free'),
        world.as('admin'),
        world.as('pending'),
        world.as('admin', 'B'),
      ]) {
        const { status, body } = await client.get(`/api/content/${path}`);
        expect([path, status, body]).toEqual([path, 200, expected]);
      }
    }
    expect((await world.as('free').get('/api/content/search?q=lighthouse')).body).toEqual(expected);
    expect(
      await test.queriesOf(() => world.anonymous().get(`/api/content/${platform}?q=lighthouse`)),
    ).toHaveLength(1);
  });

  it('without token and platform finds the public items of all platforms', async () => {
    await world.content({ title: 'Beacon of A' });
    await world.content({ title: 'Beacon of B' }, 'B');
    await world.content({ title: 'Beacon for members', visibility: 'members' });
    const { body } = await world.anonymous().get('/api/content/search?q=beacon');
    expect(body.items.map((item: { title: string }) => item.title)).toEqual(['Beacon of B', 'Beacon of A']);
  });

  it('find nothing on a platform that there is not', async () => {
    const { status, body } = await world.as('admin').get('/api/content/search/2147483647?q=beacon');
    expect([status, body]).toEqual([200, { items: [] }]);
  });
});

describe('what matches', () => {
  it.each([
    ['Crème brûlée', ['creme', 'CRÈME', 'brulee', 'rûl', 'creme  brulee', 'cre\u0300me']],
    ['Übergröße 50%', ['ubergrosse', 'ÜBERGRÖSSE', '50%', 'größe']],
    ['Ναυτικός Χάρτης', ['ναυτικος', 'ΝΑΥΤΙΚΌΣ', 'χαρτ', 'ΧΆΡΤΗΣ']],
    ['Карта приливов Ёлка', ['карта', 'ПРИЛИВ', 'елка', 'ливов']],
    ['خَرِيطَة البحر', ['خريطة', 'البحر', 'بحر']],
    ['潮汐表与航海图', ['潮汐', '航海图', '潮汐表与']],
    ['조석표 안내', ['조석표', '안내']],
    ['Surf 🏄 day', ['🏄', 'surf 🏄']],
    ['İstanbul Boğazı', ['istanbul', 'bogaz', 'İSTANBUL']],
    ['A_b literal 100% c\\d', ['a_b', '100%', 'c\\d', '_b literal']],
    [`O'Brien's "log" -- drop`, [`o'brien`, `'s "log"`, '--', '"log"']],
    ['ﬁne ﬂag', ['fine', 'flag']],
  ])('%s', async (title, queries) => {
    const { id } = await world.content({ title });
    for (const q of queries) {
      const { body } = await world.as('free').get(`/api/content/search?limit=100&q=${encodeURIComponent(q)}`);
      expect([q, body.items.map((item: { id: number }) => item.id)]).toEqual([
        q,
        expect.arrayContaining([id]),
      ]);
    }
  });

  it('reads wildcards and quotes as themselves', async () => {
    await world.content({ title: 'Plain anchor' });
    for (const q of [
      'pl_in anchor',
      'pla%chor',
      'anch%',
      '_nchor',
      "anchor' or '1'='1",
      'anchor\\',
      '%%%',
      '___',
    ]) {
      expect([q, await titles(q)]).toEqual([q, []]);
    }
  });

  it('finds fewer than three characters at beginnings of words only', async () => {
    await world.content({ title: 'Zu Zweit quizzing' });
    await world.content({ title: 'Quartz zwilling' });
    expect(await titles('zu')).toEqual(['Zu Zweit quizzing']);
    expect(await titles('z')).toEqual(expect.arrayContaining(['Zu Zweit quizzing']));
    expect(await titles('zz')).toEqual([]);
    expect(await titles('zw')).toEqual(['Quartz zwilling', 'Zu Zweit quizzing']);
    expect(await titles('tz')).toEqual([]);
    expect(await titles(' ÉZ ')).toEqual([]);
  });

  it('finds fewer than three characters in text, teaser and author name, by the same rule', async () => {
    const text = await world.content({
      title: 'One',
      description: `<p>${'a '.repeat(150)}</p><p>(ξένος) over</p>`,
    });
    const teaser = await world.content({
      title: 'Two',
      description: `<p>Ξένη ${'b '.repeat(150)}</p><p>жук</p>`,
      visibility: 'members',
      requiredRole: 'premium',
    });
    await world.content({ title: 'Not at the beginning', description: 'αξε' });
    const found = async (q: string, person: 'free' | 'premium' = 'free'): Promise<number[]> =>
      (await world.as(person).get(`/api/content/search?q=${encodeURIComponent(q)}`)).body.items.map(
        (item: { id: number }) => item.id,
      );
    expect(await found('ΞΈ')).toEqual([teaser.id, text.id]);
    expect(await found('ж')).toEqual([]);
    expect(await found('ж', 'premium')).toEqual([teaser.id]);
    await test.db.dataSource.query(`update users set "nameKey" = '李 四' where id = $1`, [
      world.user('otherCreator').id,
    ]);
    const { id } = await world.content({ title: 'Of him' }, 'A', 'otherCreator');
    expect(await found('四')).toEqual([id]);
    expect(await found('李四')).toEqual([]);
    await world.as('admin').delete(`/api/content/${id}`);
    expect(await found('四')).toEqual([]);
  });

  it('finds several words in any order, each of them, and short ones as written or at beginnings', async () => {
    await world.content({ title: 'Upon Qatari ebb', description: 'wholly unlike' });
    expect(await titles('ebb qatar')).toEqual(['Upon Qatari ebb']);
    expect(await titles('tari po')).toEqual(['Upon Qatari ebb']);
    expect(await titles('ebb unlike')).toEqual([]);
    expect(await titles('qa eb')).toEqual(['Upon Qatari ebb']);
    expect(await titles('ri eb')).toEqual(['Upon Qatari ebb']);
    expect(await titles('eb ri')).toEqual([]);
  });

  it('finds marks that begin a word, however many', async () => {
    await world.content({ title: 'Rows of 🦑🦑🦑🦑 and ***' });
    for (const q of ['🦑', '🦑🦑🦑', '🦑🦑🦑🦑', '***', '🦑🦑🦑 ***']) {
      expect([q, await titles(q)]).toEqual([q, ['Rows of 🦑🦑🦑🦑 and ***']]);
    }
    expect(await titles('🦑🦑🦑🦑🦑')).toEqual([]);
    expect(await titles('****')).toEqual([]);
  });

  it('strips the tags of descriptions', async () => {
    await world.content({
      title: 'Tagged',
      description: '<p>half<strong>way</strong> &amp; <a href="https://needle.example">there</a></p>',
    });
    expect(await titles('halfway & there')).toEqual(['Tagged']);
    expect(await titles('strong')).toEqual([]);
    expect(await titles('needle')).toEqual([]);
  });

  it('follows changes of title, text and author name', async () => {
    const item = await world.content({ title: 'Old words', description: 'Old text' });
    await world
      .as('creator')
      .post('/api/content', { id: item.id, title: 'Fresh words', description: 'Fresh text' });
    expect(await titles('old words')).toEqual([]);
    expect(await titles('old text')).toEqual([]);
    expect(await titles('fresh text')).toEqual(['Fresh words']);
  });
});

describe('the order', () => {
  it('is title, author, description, then the newest, and limit cuts it', async () => {
    const dated = (day: string): object => ({ publishedDate: `2026-01-${day}` });
    await test.db.dataSource.query(`update users set name = 'Ahab', "nameKey" = 'ahab' where id = $1`, [
      world.user('otherCreator').id,
    ]);
    await world.content({ title: 'In text', description: 'about Ahab', ...dated('09') });
    await world.content({ title: 'By him, old', ...dated('01') }, 'A', 'otherCreator');
    await world.content({ title: 'By him, new', description: 'ahab', ...dated('05') }, 'A', 'otherCreator');
    await world.content({ title: 'Ahab, old', ...dated('02') });
    await world.content({ title: 'Ahab, new', ...dated('03') }, 'A', 'otherCreator');
    const order = ['Ahab, new', 'Ahab, old', 'By him, new', 'By him, old', 'In text'];
    expect(await titles('ahab')).toEqual(order);
    expect(await titles('ahab', '&limit=2')).toEqual(order.slice(0, 2));
  });

  it('takes at most 100, whatever the limit', async () => {
    await test.db.dataSource.query(
      `insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "titleKey", "textKey", "teaserKey")
       select $1, $2, 'Swarm ' || n, 'swarm-' || n, 'article', 'public', 'swarm ' || n, '', '' from generate_series(1, 110) n`,
      [world.platformId(), world.user('creator').id],
    );
    expect(await titles('swarm', '&limit=1000')).toHaveLength(100);
    expect(await titles('swarm')).toHaveLength(20);
  });
});

describe('teasers', () => {
  const gated = (description: string): Promise<{ id: number }> =>
    world.content({ title: 'Locked up', visibility: 'members', requiredRole: 'premium', description });
  const finds = async (q: string, person: 'free' | 'premium' = 'free'): Promise<number[]> =>
    (await world.as(person).get(`/api/content/search?q=${encodeURIComponent(q)}`)).body.items.map(
      (item: { id: number }) => item.id,
    );

  it('are found by what they show, and by nothing else', async () => {
    const { id } = await gated(`<p>${'a '.repeat(95)}visible</p><p>invisible ending</p>`);
    expect(await finds('visible')).toContain(id);
    expect(await finds('locked up')).toContain(id);
    expect(await finds('invisible')).not.toContain(id);
    expect(await finds('ending')).not.toContain(id);
    expect(await finds('invisible', 'premium')).toContain(id);
    const { body } = await world.as('free').get('/api/content/search?q=visible');
    expect(body.items[0].description).toHaveLength(200);
  });

  it.each([
    ['paragraphs', `${'<p>b</p>'.repeat(80)}<p>hoarded</p>`],
    ['marks that searching drops', `<p>${'e\u0301\u0302\u0303'.repeat(60)} hoarded</p>`],
    ['letters outside the basic plane', `<p>${'𝒳'.repeat(200)} hoarded</p>`],
  ])('keep to themselves what comes after 200 characters of %s', async (_, description) => {
    const { id } = await gated(description);
    expect(await finds('hoarded')).not.toContain(id);
    expect(await finds('hoarded', 'premium')).toContain(id);
  });
});
