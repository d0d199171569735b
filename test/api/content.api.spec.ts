import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const detailsOf = ({ body }: { body: any }): unknown => body.error?.details;

describe('POST /api/content', () => {
  it('answers the whole item and true', async () => {
    const group = await world.group({ name: 'Readers' });
    const [keyword] = (await world.as('creator').post('/api/keyword', { title: 'Tides' })).body;
    const { status, body, headers } = await world.as('creator').post('/api/content', {
      title: '  Tide tables  ',
      type: 'video',
      description: '<h2>Springs</h2>',
      GroupIds: [group.id, group.id],
      KeywordIds: [keyword.id],
      video: 'https://my_bucket.example.org/a.mp4',
      contentURI: 'https://example.org/a.pdf',
      options: { layout: 'wide', nested: { list: [1, null, 'ü'], toString: 'mine' } },
      publishedDate: '2026-01-02T03:04:05.678+02:00',
    });
    const author = world.user('creator');
    expect(status).toBe(200);
    expect(headers['x-warning']).toBeUndefined();
    expect(body).toEqual([
      {
        id: expect.any(Number),
        title: 'Tide tables',
        slug: 'tide-tables',
        description: '<h2>Springs</h2>',
        type: 'video',
        visibility: 'members',
        featuredImage: null,
        featured: false,
        chatEnabled: true,
        publishedDate: '2026-01-02T01:04:05.678Z',
        expireDate: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        PlatformId: world.platformId(),
        UserId: author.id,
        Groups: [{ id: group.id, name: 'Readers' }],
        Keywords: [{ id: keyword.id, title: 'Tides' }],
        User: { id: author.id, name: author.name, photoUrl: null, role: 'creator' },
        commentCount: 0,
        viewCount: 0,
        locked: false,
        contentURI: 'https://example.org/a.pdf',
        video: 'https://my_bucket.example.org/a.mp4',
        options: { layout: 'wide', nested: { list: [1, null, 'ü'], toString: 'mine' } },
      },
      true,
    ]);
    expect((await world.as('creator').get(`/api/content/${body[0].id}`)).body).toEqual(body[0]);
  });

  it('changes what is sent, clears what is null, and keeps the rest', async () => {
    const group = await world.group();
    const before = await world.content({
      visibility: 'members',
      GroupIds: [group.id],
      featuredImage: 'https://example.org/a.png',
      options: { a: 1 },
      expireDate: '2030-01-01',
    });
    const { body } = await world
      .as('creator')
      .post('/api/content', { id: before.id, title: 'New title', featuredImage: null, options: null });
    expect(body).toEqual([
      { ...before, title: 'New title', featuredImage: null, options: null, updatedAt: expect.any(String) },
      false,
    ]);
    const emptied = await world
      .as('admin')
      .post('/api/content', { id: before.id, GroupIds: [], expireDate: null, slug: 'given' });
    expect(emptied.body[0]).toMatchObject({
      Groups: [],
      expireDate: null,
      slug: 'given',
      UserId: before.UserId,
    });
  });

  it('takes the default visibility of the platform, and lets members post', async () => {
    const { body } = await world.as('free').post('/api/content', {
      type: 'post',
      description: `<p>${'Fair wind '.repeat(20)}</p>`,
      visibility: 'members',
      featured: false,
      GroupIds: [],
    });
    expect(body[0]).toMatchObject({
      type: 'post',
      visibility: 'members',
      title: 'Fair wind '.repeat(8).trim(),
      UserId: world.user('free').id,
    });
    await query(`update platforms set settings = '{"defaultVisibility": "public"}' where id = $1`, [
      world.platformId(),
    ]);
    const open = await world
      .as('free')
      .post('/api/content', { type: 'post', title: 'Mine', description: 'Text', visibility: 'public' });
    expect(open.body[0]).toMatchObject({ title: 'Mine', visibility: 'public' });
    const edited = await world.as('free').post('/api/content', { id: open.body[0].id, description: 'More' });
    expect([edited.status, edited.body[0].description]).toEqual([200, 'More']);
    await query(`update platforms set settings = '{}' where id = $1`, [world.platformId()]);
  });

  it('lets an admin name the author', async () => {
    const { body } = await world
      .as('admin')
      .post('/api/content', { title: 'For you', type: 'article', UserId: world.user('basic').id });
    expect(body[0].User.id).toBe(world.user('basic').id);
  });

  it('takes back what it answered, from an admin too whose author is gone', async () => {
    const item = await world.content({ GroupIds: [], options: { a: 1 } }, 'A', 'otherCreator');
    expect((await world.as('admin').delete(`/api/user/${item.UserId}`)).status).toBe(200);
    const { body: shown } = await world.as('admin').get(`/api/content/${item.id}`);
    const { body } = await world.as('admin').post('/api/content', { ...shown, title: 'Kept up' });
    expect(body).toEqual([{ ...shown, title: 'Kept up', updatedAt: expect.any(String) }, false]);
    const named = await world
      .as('admin')
      .post('/api/content', { id: item.id, UserId: item.UserId + 100_000 });
    expect(detailsOf(named)).toEqual([{ field: 'UserId', issue: `unknown id ${item.UserId + 100_000}` }]);
  });

  it('warns of a gate without effect', async () => {
    const group = await world.group();
    const post = (values: object): Promise<any> =>
      world.as('creator').post('/api/content', { title: 'Gate', type: 'article', ...values });
    expect((await post({ visibility: 'public', GroupIds: [group.id] })).headers['x-warning']).toBe(
      'gate-without-effect',
    );
    expect((await post({ visibility: 'hidden', requiredRole: 'basic' })).headers['x-warning']).toBe(
      'gate-without-effect',
    );
    expect((await post({ visibility: 'public' })).headers['x-warning']).toBeUndefined();
    expect(
      (await post({ visibility: 'private', GroupIds: [group.id] })).headers['x-warning'],
    ).toBeUndefined();
  });

  it('names what it does not know, ten at most, beside other warnings', async () => {
    const warningOf = async (values: object): Promise<unknown> => {
      const item = { title: 'Misspelt', type: 'article', ...values };
      const { status, headers } = await world.as('creator').post('/api/content', item);
      return [status, headers['x-warning']];
    };
    expect(await warningOf({ visability: 'public', 'not nameable': 1, ['x'.repeat(41)]: 1 })).toEqual([
      200,
      'unknown-field visability',
    ]);
    const gated = { visibility: 'public', requiredRole: 'basic', 'a.b-c_1': {} };
    expect(await warningOf(gated)).toEqual([200, 'unknown-field a.b-c_1, gate-without-effect']);
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, n]));
    const ten = Array.from({ length: 10 }, (_, n) => `unknown-field k${n}`);
    expect(await warningOf(many)).toEqual([200, ten.join(', ')]);
    expect(await warningOf({ title: '', unknown: 1 })).toEqual([400, 'unknown-field unknown']);
  });

  it('opens a closed gate when it is saved again, and not before', async () => {
    for (const sent of [{ title: 'Other' }, { requiredRole: null }]) {
      const { id } = await world.content({ visibility: 'members' });
      await query(`update contents set "gateClosed" = true where id = $1`, [id]);
      expect((await world.as('free').get(`/api/content/${id}`)).body.locked).toBe(true);
      await world.as('creator').post('/api/content', { id, ...sent });
      expect((await world.as('free').get(`/api/content/${id}`)).body.locked).toBe(false);
    }
  });

  it('B17 shows of private and hidden groups only those whom the viewer belongs to', async () => {
    const groups = await Promise.all(
      ['public', 'members', 'private', 'hidden'].map((visibility) =>
        world.group({ name: visibility, visibility }),
      ),
    );
    const { id } = await world.content({ GroupIds: groups.map((group) => group.id) });
    const namesFor = async (person: 'free' | 'admin' | 'otherFree'): Promise<string[]> =>
      (await world.as(person).get(`/api/content/${id}`)).body.Groups.map(
        ({ name }: { name: string }) => name,
      ).sort();
    await query(
      `insert into group_members ("PlatformId", "GroupId", "UserId", status) values ($1, $2, $4, 'active'), ($1, $3, $4, 'pending')`,
      [world.platformId(), groups[2]?.id, groups[3]?.id, world.user('otherFree').id],
    );
    expect(await namesFor('free')).toEqual(['members', 'public']);
    expect(await namesFor('otherFree')).toEqual(['members', 'private', 'public']);
    expect(await namesFor('admin')).toEqual(['hidden', 'members', 'private', 'public']);
    const [collection] = (
      await world.as('creator').post('/api/collection', { name: 'Groups', ContentIds: [id] })
    ).body;
    const listed = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    const shown = listed.body.find((one: { id: number }) => one.id === collection.id).Contents[0];
    expect(shown.Groups).toEqual([{ id: groups[0]?.id, name: 'public' }]);
  });

  it('counts the contents of keywords', async () => {
    const [first] = (await world.as('creator').post('/api/keyword', { title: 'First' })).body;
    const [second] = (await world.as('creator').post('/api/keyword', { title: 'Second' })).body;
    const counts = async (): Promise<number[]> =>
      (await world.as('free').get('/api/keywords')).body
        .filter(({ id }: { id: number }) => [first.id, second.id].includes(id))
        .map(({ contentCount }: { contentCount: number }) => contentCount);
    const { id } = await world.content({ KeywordIds: [first.id] });
    expect(await counts()).toEqual([1, 0]);
    await world.as('creator').post('/api/content', { id, KeywordIds: [second.id] });
    expect(await counts()).toEqual([0, 1]);
    await world.as('creator').delete(`/api/content/${id}`);
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('slugs', () => {
  it('are made from the title, and stay when it changes', async () => {
    const { id, slug } = await world.content({ title: 'Ήλιος & Θάλασσα: Straße №1' });
    expect(slug).toMatch(/^ilios-thalassa-strasse-[a-z0-9-]+$/i);
    const { body } = await world.as('creator').post('/api/content', { id, title: 'Another' });
    expect(body[0].slug).toBe(slug);
    expect((await world.content({ title: '潮汐' })).slug).toMatch(/^[a-z0-9-]+$/);
    expect((await world.content({ title: '!!!' })).slug).toMatch(/^article(-\d+)?$/);
  });

  it('B13 differ for 20 items of one title at once, numbered without a gap', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => world.content({ title: 'Same title' })));
    const numbers = made.map(({ slug }) => slug).sort();
    expect(numbers).toEqual(
      ['same-title', ...Array.from({ length: 19 }, (_, index) => `same-title-${index + 2}`)].sort(),
    );
  });

  it('differ when one title ends like the number of another', async () => {
    await world.content({ title: 'Chapter' });
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => world.content({ title: index % 2 ? 'Chapter' : 'Chapter 2' })),
    );
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(10);
  });

  it('are at most 80 long, the number included, so that they can be sent back', async () => {
    const title = 'word '.repeat(40);
    await world.content({ title });
    const second = await world.content({ title });
    expect(second.slug.length).toBeLessThanOrEqual(80);
    expect(second.slug).toMatch(/-2$/);
    const again = await world.as('creator').post('/api/content', { id: second.id, slug: second.slug });
    expect([again.status, again.body[0].slug]).toEqual([200, second.slug]);
  });

  it('are free again when their item is deleted, and may be equal on two platforms', async () => {
    const { id } = await world.content({ slug: 'once' });
    expect((await world.content({ slug: 'once' }, 'B')).slug).toBe('once');
    const taken = await world
      .as('creator')
      .post('/api/content', { title: 'T', type: 'article', slug: 'once' });
    expect([taken.status, detailsOf(taken)]).toEqual([400, [{ field: 'slug', issue: 'taken' }]]);
    const other = await world.content();
    const moved = await world.as('creator').post('/api/content', { id: other.id, slug: 'once' });
    expect([moved.status, detailsOf(moved)]).toEqual([400, [{ field: 'slug', issue: 'taken' }]]);
    await world.as('creator').delete(`/api/content/${id}`);
    expect((await world.content({ slug: 'once' })).slug).toBe('once');
  });
});

describe('dates', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01T12:00:00', '2026-07-01T10:00:00.000Z'],
    ['Europe/Berlin', '2026-01-01', '2025-12-31T23:00:00.000Z'],
    ['America/New_York', '2026-07-01T12:00', '2026-07-01T16:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00', '2025-12-31T18:15:00.000Z'],
    // The hour that is skipped moves forward; of the doubled one it is the first.
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00.000Z'],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['Europe/Berlin', '2024-02-29T00:00:00.0001-08:00', '2024-02-29T08:00:00.000Z'],
  ])('in %s %s is %s', async (zone, sent, instant) => {
    await query(`update platforms set timezone = $2 where id = $1`, [world.platformId(), zone]);
    const { publishedDate } = await world.content({ publishedDate: sent });
    await query(`update platforms set timezone = 'UTC' where id = $1`, [world.platformId()]);
    expect(publishedDate).toBe(instant);
  });
});

describe('DELETE /api/content/{id}', () => {
  it('takes the item away everywhere at once', async () => {
    const item = await world.content({ title: 'Vanishing' });
    const comment = await world.comment(item.id);
    const [collection] = (
      await world.as('creator').post('/api/collection', { name: 'Holds it', ContentIds: [item.id] })
    ).body;
    expect(collection.ContentIds).toEqual([item.id]);
    const { status, body } = await world.as('creator').delete(`/api/content/${item.id}`);
    expect([status, body]).toEqual([200, { message: 'Content deleted.', id: item.id }]);
    expect((await world.as('admin').get(`/api/content/${item.id}`)).status).toBe(404);
    expect((await world.as('admin').get('/api/content/search?q=vanishing')).body.items).toEqual([]);
    const listed = await world.as('admin').get(`/api/collection/${world.platformId()}?showHidden=true`);
    expect(listed.body.find((one: { id: number }) => one.id === collection.id).Contents).toEqual([]);
    for (const path of [
      `chat?contentId=${item.id}`,
      `replies?commentId=${comment.id}`,
      `content/${item.id}/reactions`,
      `chat/${comment.id}/reactions`,
    ]) {
      expect([path, (await world.as('admin').get(`/api/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await world.as('creator').delete(`/api/content/${item.id}`)).status).toBe(404);
    expect((await world.as('creator').post('/api/content', { id: item.id, title: 'Back' })).status).toBe(404);
  });
});

describe('a read by id', () => {
  it('costs two statements', async () => {
    const { id } = await world.content();
    expect(await test.queriesOf(() => world.as('free').get(`/api/content/${id}`))).toHaveLength(2);
  });

  it('cuts a teaser after 200 characters of text, none of them halved', async () => {
    const text = `${'🌊'.repeat(150)} &amp; ${'é'.repeat(100)}`;
    const { id } = await world.content({
      visibility: 'members',
      requiredRole: 'premium',
      description: `<h1>${text}</h1><p>more</p>`,
      featuredImage: 'https://example.org/a.png',
      options: { a: 1 },
    });
    const { body } = await world.as('free').get(`/api/content/${id}`);
    expect(body).toMatchObject({
      locked: true,
      description: `${'🌊'.repeat(150)} &amp; ${'é'.repeat(47)}`,
      contentURI: null,
      video: null,
      options: null,
    });
    expect(body.featuredImage).toBe('https://example.org/a.png');
  });
});

describe('B3 what is stored of HTML', () => {
  it.each([
    ['<script>alert(1)</script>ok', 'ok'],
    ['<img src="https://example.org/a.png" onerror="alert(1)">', '<img src="https://example.org/a.png" />'],
    ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener">x</a>'],
    ['<a href="java\tscript:alert(1)">x</a>', '<a rel="noopener">x</a>'],
    ['<a href="&#106;avascript:alert(1)">x</a>', '<a rel="noopener">x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a rel="noopener">x</a>'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>', ''],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<table></table>'],
    ['<p style="x:expression(1)" class="a" id="b">y</p>', '<p>y</p>'],
    ['<iframe src="https://example.org"></iframe><form><input></form>z', 'z'],
    ['<table><tr><td colspan="2">1</td></tr></table>', '<table><tr><td colspan="2">1</td></tr></table>'],
  ])('%s', async (description, stored) => {
    expect((await world.content({ description })).description).toBe(stored);
  });
});
