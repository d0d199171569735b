import type { SaveContentDto } from '../../src/content/dto/save-content.dto';
import { World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
/** The items of the lists, each by a name. */
const item: Record<string, number> = {};
const keyword: Record<string, number> = {};
let openGroup: number;
let secretGroup: number;

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();

async function add(
  name: string,
  createdHoursAgo: number,
  values: Partial<SaveContentDto> = {},
): Promise<void> {
  const { id } = await world.content({ title: name, ...values });
  item[name] = id;
  await query(`update contents set "createdAt" = $2 where id = $1`, [id, hours(-createdHoursAgo)]);
}

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  openGroup = (await world.group({ name: 'Open', visibility: 'public' })).id;
  secretGroup = (await world.group({ name: 'Secret', visibility: 'private' })).id;
  for (const title of ['wind', 'water', 'wood']) {
    keyword[title] = (await world.as('creator').post('/api/keyword', { title })).body[0].id;
  }
  const { wind = 0, water = 0, wood = 0 } = keyword;
  await add('Ärmel', 50, { KeywordIds: [wind, water, wood], featured: true });
  // Made long ago, published lately.
  await add('beacon', 60, { KeywordIds: [wind, water], publishedDate: hours(-1), type: 'video' });
  await add('Zenith', 40, { KeywordIds: [wind], GroupIds: [openGroup, secretGroup] });
  await add('anchor', 30, { KeywordIds: [wood], GroupIds: [secretGroup] });
  await add('locked', 20, {
    visibility: 'members',
    requiredRole: 'premium',
    KeywordIds: [wind],
    description: `<p>${'x'.repeat(200)}behind</p>`,
    contentURI: 'https://example.org/behind.pdf',
  });
  await add('unlisted', 10, { visibility: 'hidden', KeywordIds: [wind, water] });
  await add('planned', 5, { publishedDate: hours(24), KeywordIds: [wind] });
  await add('past', 5, { publishedDate: hours(-48), expireDate: hours(-24) });
  await query(`update contents set "viewCount" = 7, "commentCount" = 1 where id = $1`, [item.anchor]);
  await query(`update contents set "viewCount" = 3, "commentCount" = 9 where id = $1`, [item.Zenith]);
  await world.content({ title: 'elsewhere' }, 'B');
});
afterAll(() => test.stop());

const titlesOf = ({ status, body }: Answer): string[] => {
  expect(status).toBe(200);
  return body.items.map(({ title }: { title: string }) => title);
};
const list = (parameters = '', client: Client = world.anonymous()): Promise<Answer> =>
  client.get(`/api/contents?PlatformId=${world.platformId()}&${parameters}`);
const listed = async (parameters = '', client?: Client): Promise<string[]> =>
  titlesOf(await list(parameters, client));

const PUBLISHED = ['beacon', 'locked', 'anchor', 'Zenith', 'Ärmel'];

describe('GET /api/contents', () => {
  it('shows cards with what the viewer may do, the newest publication first', async () => {
    const { body } = await list();
    expect(titlesOf({ status: 200, body } as Answer)).toEqual(PUBLISHED);
    expect(body).toMatchObject({ totalItems: 5, currentPage: 1, itemsPerPage: 25, totalPages: 1 });
    expect(body.items[4]).toEqual({
      id: item['Ärmel'],
      title: 'Ärmel',
      slug: 'armel',
      description: '<p>Its text.</p>',
      type: 'article',
      visibility: 'public',
      featuredImage: null,
      featured: true,
      chatEnabled: true,
      publishedDate: null,
      expireDate: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      PlatformId: world.platformId(),
      UserId: world.user('creator').id,
      Groups: [],
      Keywords: ['wind', 'water', 'wood'].map((title) => ({ id: keyword[title], title })),
      User: { id: world.user('creator').id, name: 'creator of A', photoUrl: null, role: 'creator' },
      commentCount: 0,
      viewCount: 0,
      locked: false,
      access: { canRead: true, locked: false },
    });
  });

  it('shows teasers to whom the gate is closed, and the whole to others', async () => {
    const [, teaser] = (await list()).body.items;
    expect(teaser).toMatchObject({
      title: 'locked',
      description: 'x'.repeat(200),
      locked: true,
      access: { canRead: false, locked: true },
    });
    expect(JSON.stringify(teaser)).not.toContain('behind');
    const [, whole] = (await list('', world.as('premium'))).body.items;
    expect(whole).toMatchObject({ title: 'locked', locked: false, access: { canRead: true, locked: false } });
    expect(whole.description).toContain('behind');
    expect(whole).not.toHaveProperty('contentURI');
  });

  it('takes the platform of the token, and counts a stranger as nobody', async () => {
    expect(titlesOf(await world.as('free').get('/api/contents'))).toEqual(PUBLISHED);
    expect(titlesOf(await world.as('admin', 'B').get('/api/contents'))).toEqual(['elsewhere']);
    const stranger = await list('', world.as('admin', 'B'));
    expect(stranger.body).toEqual((await list()).body);
    expect((await world.anonymous().get('/api/contents?PlatformId=999999')).body).toEqual({
      items: [],
      totalItems: 0,
      currentPage: 1,
      itemsPerPage: 25,
      totalPages: 0,
    });
  });

  it.each([
    ['publishedDate:desc', PUBLISHED],
    ['publishedDate:asc', PUBLISHED.toReversed()],
    ['createdAt:desc', ['locked', 'anchor', 'Zenith', 'Ärmel', 'beacon']],
    ['createdAt:asc', ['beacon', 'Ärmel', 'Zenith', 'anchor', 'locked']],
    ['title:asc', ['anchor', 'Ärmel', 'beacon', 'locked', 'Zenith']],
    ['title:desc', ['Zenith', 'locked', 'beacon', 'Ärmel', 'anchor']],
    // The id breaks ties in the direction of the order.
    ['views:desc', ['anchor', 'Zenith', 'locked', 'beacon', 'Ärmel']],
    ['views:asc', ['Ärmel', 'beacon', 'locked', 'Zenith', 'anchor']],
    ['comments:desc', ['Zenith', 'anchor', 'locked', 'beacon', 'Ärmel']],
    ['comments:asc', ['Ärmel', 'beacon', 'locked', 'anchor', 'Zenith']],
  ])('is sorted by %s, page by page', async (sort, titles) => {
    expect(await listed(`sort=${sort}`)).toEqual(titles);
    const pages = [1, 2, 3].map((page) => listed(`sort=${sort}&itemsPerPage=2&currentPage=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual(titles);
  });

  it('pages to the end and past it', async () => {
    const { body } = await list('itemsPerPage=2&currentPage=9');
    expect(body).toEqual({ items: [], totalItems: 5, currentPage: 9, itemsPerPage: 2, totalPages: 3 });
    expect((await list('itemsPerPage=1000')).body.itemsPerPage).toBe(100);
  });

  it('searches in titles, ignoring case and accents, with wildcards as letters', async () => {
    expect(await listed('searchTerm=ARM')).toEqual(['Ärmel']);
    expect(await listed('searchTerm=ch')).toEqual(['anchor']);
    expect(await listed('searchTerm=%20')).toEqual(PUBLISHED);
    expect(await listed('searchTerm=%25')).toEqual([]);
    expect(await listed('searchTerm=behind')).toEqual([]);
  });

  it('filters, by several at once too', async () => {
    expect(await listed('filters=type:video')).toEqual(['beacon']);
    expect(await listed('filters=featured:true')).toEqual(['Ärmel']);
    expect(await listed('filters=featured:false,type:article')).toEqual(['locked', 'anchor', 'Zenith']);
    expect(await listed(`filters=KeywordId:${keyword.water}`)).toEqual(['beacon', 'Ärmel']);
    const json = JSON.stringify({ KeywordId: keyword.wind, UserId: world.user('creator').id });
    expect(await listed(`filters=${encodeURIComponent(json)}`)).toEqual([
      'beacon',
      'locked',
      'Zenith',
      'Ärmel',
    ]);
    expect(await listed(`filters=UserId:${world.user('admin').id}`)).toEqual([]);
  });

  it('finds by a group what is in it, and nothing by one that the viewer may not know of', async () => {
    expect(await listed(`filters=GroupId:${openGroup}`)).toEqual(['Zenith']);
    for (const client of [world.anonymous(), world.as('premium'), world.as('admin', 'B')]) {
      const secret = await list(`filters=GroupId:${secretGroup}`, client);
      expect(secret.body).toEqual((await list('filters=GroupId:999999', client)).body);
      expect(secret.body).toMatchObject({ items: [], totalItems: 0 });
    }
    expect(await listed(`filters=GroupId:${secretGroup}`, world.as('creator'))).toEqual(['anchor', 'Zenith']);
    await world.join(secretGroup, 'basic');
    expect(await listed(`filters=GroupId:${secretGroup}`, world.as('basic'))).toEqual(['anchor', 'Zenith']);
    const names = async (client: Client): Promise<string[]> =>
      (await list('searchTerm=zenith', client)).body.items[0].Groups.map((group: any) => group.name);
    expect(await names(world.as('basic'))).toEqual(['Open', 'Secret']);
    expect(await names(world.as('free'))).toEqual(['Open']);
  });

  it('shows staff what is published, what is not, or both, and what is hidden', async () => {
    const staff = world.as('creator');
    expect(await listed('sort=createdAt:desc', staff)).toEqual([
      'unlisted',
      'locked',
      'anchor',
      'Zenith',
      'Ärmel',
      'beacon',
    ]);
    expect(await listed('filters=published:true', staff)).toEqual(await listed('', staff));
    expect(await listed('filters=published:false', staff)).toEqual(['planned', 'past']);
    expect((await listed('filters=published:all', staff)).toSorted()).toEqual(
      [...PUBLISHED, 'unlisted', 'planned', 'past'].toSorted(),
    );
    expect(await listed('filters=visibility:hidden', staff)).toEqual(['unlisted']);
    expect(await listed('filters={"visibility":"public","published":false}', staff)).toEqual([
      'planned',
      'past',
    ]);
  });

  it('costs the same for one item and for all', async () => {
    await world.content();
    const queries = (parameters: string, client: Client): Promise<string[]> =>
      test.queriesOf(() => list(parameters, client));
    // How long what is now there may be kept is asked once.
    await queries('itemsPerPage=2', world.anonymous());
    for (const parameters of ['itemsPerPage=1', 'itemsPerPage=100', `filters=GroupId:${openGroup}`]) {
      // The page and the count; of a member who they are, for anonymous readers what is kept.
      expect(await queries(parameters, world.anonymous())).toHaveLength(3);
      expect(await queries(parameters, world.as('premium'))).toHaveLength(3);
    }
  });
});

describe('GET /api/content-by-slug/{slug}/{PlatformId}', () => {
  const bySlug = (slug: string, client: Client = world.anonymous()): Promise<Answer> =>
    client.get(`/api/content-by-slug/${slug}/${world.platformId()}`);

  it('is the whole item, a hidden one too', async () => {
    const { status, body } = await bySlug('unlisted');
    expect(status).toBe(200);
    expect(body).toEqual((await world.as('free').get(`/api/content/${item.unlisted}`)).body);
    expect(body).toMatchObject({ title: 'unlisted', contentURI: null, video: null, options: null });
  });

  it('is the teaser of what is locked', async () => {
    expect((await bySlug('locked')).body).toMatchObject({
      locked: true,
      description: 'x'.repeat(200),
      contentURI: null,
    });
    expect((await bySlug('locked', world.as('premium'))).body).toMatchObject({
      locked: false,
      contentURI: 'https://example.org/behind.pdf',
    });
    expect((await bySlug('planned', world.as('creator'))).body.title).toBe('planned');
  });

  it('is the item that has the slug now, not the deleted one that had it', async () => {
    const first = await world.content({ title: 'Reused', slug: 'reused' });
    await world.as('creator').delete(`/api/content/${first.id}`);
    expect((await bySlug('reused')).status).toBe(404);
    const second = await world.content({ title: 'Reused', slug: 'reused' });
    expect((await bySlug('reused')).body.id).toBe(second.id);
    await world.as('creator').delete(`/api/content/${second.id}`);
  });

  it('costs one query, and one for who asks', async () => {
    // The item, and how long it may be kept.
    expect(await test.queriesOf(() => bySlug('locked'))).toHaveLength(3);
    expect(await test.queriesOf(() => bySlug('locked', world.as('free')))).toHaveLength(2);
  });
});

describe('GET /api/content/{id}/public', () => {
  it('is what a visitor sees, whoever asks and with whatever token', async () => {
    const clients = [
      world.anonymous(),
      world.as('premium'),
      world.as('admin'),
      test.client({ authorization: 'Bearer nonsense' }),
    ];
    for (const client of clients) {
      const locked = await client.get(`/api/content/${item.locked}/public`);
      expect(locked.status).toBe(200);
      expect(locked.body).toMatchObject({ locked: true, description: 'x'.repeat(200), contentURI: null });
      expect((await client.get(`/api/content/${item.unlisted}/public`)).body.title).toBe('unlisted');
      const { body } = await client.get(`/api/content/${item.Zenith}/public`);
      expect(body).toMatchObject({ locked: false, Groups: [{ id: openGroup, name: 'Open' }] });
      expect((await client.get(`/api/content/${item.planned}/public`)).status).toBe(404);
    }
  });

  it('costs two queries, then two more to keep it, and then one', async () => {
    const { id } = await world.content();
    const read = (): Promise<Answer> => world.as('free').get(`/api/content/${id}/public`);
    for (const cost of [2, 4, 1, 1]) expect(await test.queriesOf(read)).toHaveLength(cost);
  });
});

describe('GET /api/content/{id}/related', () => {
  const related = async (name: string, parameters = '', client = world.anonymous()): Promise<string[]> =>
    titlesOf(await client.get(`/api/content/${item[name]}/related?${parameters}`));

  it('has what shares most keywords first, then the newest, and never the item itself', async () => {
    expect(await related('Ärmel')).toEqual(['beacon', 'locked', 'anchor', 'Zenith']);
    expect(await related('anchor')).toEqual(['Ärmel']);
    expect(await related('past', '', world.as('admin'))).toEqual([]);
  });

  it('shows hidden and unpublished items to staff alone, and cards of the others', async () => {
    expect(await related('unlisted')).toEqual(['beacon', 'Ärmel', 'locked', 'Zenith']);
    expect(await related('beacon', '', world.as('admin'))).toEqual([
      'unlisted',
      'Ärmel',
      'planned',
      'locked',
      'Zenith',
    ]);
    const { body } = await world.anonymous().get(`/api/content/${item.Zenith}/related`);
    const teaser = body.items.find(({ title }: any) => title === 'locked');
    expect(teaser).toMatchObject({ locked: true, description: 'x'.repeat(200) });
    expect(JSON.stringify(teaser)).not.toContain('behind');
    expect(teaser).not.toHaveProperty('contentURI');
  });

  it('has at most six items, or as many as asked for', async () => {
    expect(await related('Ärmel', 'limit=2')).toEqual(['beacon', 'locked']);
    const title = 'crowd';
    const { body } = await world.as('creator').post('/api/keyword', { title });
    const ids: number[] = [];
    for (let index = 0; index < 9; index++) {
      ids.push((await world.content({ title, visibility: 'hidden', KeywordIds: [body[0].id] })).id);
    }
    const path = `/api/content/${ids[0]}/related`;
    expect((await world.as('admin').get(path)).body.items.map((one: any) => one.id)).toEqual(
      ids.slice(3).toReversed(),
    );
    for (const limit of [50, 100, 101]) {
      expect((await world.as('admin').get(`${path}?limit=${limit}`)).body.items).toHaveLength(8);
    }
  });

  it('costs the same for one item and for all', async () => {
    for (const limit of [1, 50]) {
      expect(await test.queriesOf(() => related('Ärmel', `limit=${limit}`))).toHaveLength(3);
      const member = (): Promise<string[]> => related('Ärmel', `limit=${limit}`, world.as('premium'));
      expect(await test.queriesOf(member)).toHaveLength(4);
    }
  });
});
