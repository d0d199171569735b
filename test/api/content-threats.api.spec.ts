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

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const refusal = ({ status, body }: Answer): unknown => [status, body.error?.code];
const save = (body: unknown, person: Parameters<World['as']>[0] = 'creator'): Promise<Answer> =>
  world.as(person).post('/api/content', body);
const found = async (q: string, client = world.as('free')): Promise<number[]> =>
  (await client.get(`/api/content/search?q=${q}&PlatformId=${world.platformId()}`)).body.items.map(
    ({ id }: { id: number }) => id,
  );
const collected = async (id: number, client = world.as('free')): Promise<number[]> => {
  const { body } = await client.get(`/api/collection/${world.platformId()}?showHidden=true`);
  const listed = body.flatMap(({ Contents }: { Contents: { id: number }[] }) => Contents);
  return listed.map((one: { id: number }) => one.id).filter((one: number) => one === id);
};
const inCollection = (id: number): Promise<Answer> =>
  world.as('admin').post('/api/collection', { name: `Holds ${id}`, ContentIds: [id] });

describe('B1 an item of another platform', () => {
  it.each(['private', 'members'] as const)('%s answers as one that is not there', async (visibility) => {
    const { id } = await world.content({ title: 'Foreign words', visibility }, 'B');
    const admin = world.as('admin');
    const missing = 2_000_000_000;
    const calls = (one: number): Promise<Answer>[] => [
      admin.get(`/api/content/${one}`),
      admin.post('/api/content', { id: one, title: 'Mine' }),
      admin.delete(`/api/content/${one}`),
    ];
    const said = async (one: number): Promise<unknown[]> =>
      (await Promise.all(calls(one))).map(({ status, body }) => [status, { ...body.error, requestId: '' }]);
    expect(await said(id)).toEqual(await said(missing));
    expect((await world.as('creator', 'B').get(`/api/content/${id}`)).body.title).toBe('Foreign words');
  });

  it('is put in no collection', async () => {
    const { id } = await world.content({}, 'B');
    expect(refusal(await inCollection(id))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('B2 a private item', () => {
  it('is nowhere for those who are not its author or staff', async () => {
    const { id } = await world.content({ title: 'Whispered', visibility: 'private' });
    await inCollection(id);
    for (const client of [
      world.as('premium'),
      world.as('banned'),
      world.anonymous(),
      world.as('admin', 'B'),
    ]) {
      expect(await found('whispered', client)).toEqual([]);
      expect(await collected(id, client)).toEqual([]);
      for (const path of ['access', 'reactions']) {
        expect(refusal(await client.get(`/api/content/${id}/${path}`))).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect([
      await found('whispered', world.as('otherCreator')),
      await collected(id, world.as('admin')),
    ]).toEqual([[id], [id]]);
  });
});

describe('B5 items that are not out yet, or over', () => {
  it.each([{ publishedDate: '2100-01-01' }, { expireDate: '2020-01-01' }])('%j', async (dates) => {
    const [time = ''] = Object.values(dates);
    const { id } = await world.content({ title: `Timed ${time}`, ...dates });
    await inCollection(id);
    for (const client of [world.as('premium'), world.anonymous()]) {
      expect(await found(`timed%20${time}`, client)).toEqual([]);
      expect(await collected(id, client)).toEqual([]);
      expect((await client.get(`/api/content/${id}/reactions`)).status).toBe(404);
    }
    expect((await world.as('premium').get(`/api/content/${id}`)).status).toBe(404);
    expect((await world.as('otherCreator').get(`/api/content/${id}`)).status).toBe(200);
  });
});

describe('B15 e-mail addresses', () => {
  it('are in no answer about content', async () => {
    const group = await world.group();
    const [keyword] = (await world.as('creator').post('/api/keyword', { title: 'Post' })).body;
    const created = await save({
      title: 'Signed',
      type: 'article',
      visibility: 'public',
      GroupIds: [group.id],
      KeywordIds: [keyword.id],
    });
    const { id } = created.body[0];
    await inCollection(id);
    const admin = world.as('admin');
    const answers = [
      created,
      await admin.get(`/api/content/${id}`),
      await admin.get(`/api/content/${id}/access?userId=${world.user('free').id}`),
      await admin.get('/api/content/search?q=signed'),
      await admin.get('/api/content/search?q=people.test'),
      await admin.get(`/api/collection/${world.platformId()}`),
      await admin.get('/api/keywords'),
      await admin.delete(`/api/content/${id}`),
    ];
    for (const { status, text } of answers)
      expect([status, text]).toEqual([200, expect.not.stringMatching(/@|"email/)]);
    expect(answers[4]?.body.items).toEqual([]);
  });
});

describe('B16 someone who is staff no more', () => {
  const demote = (role: string): Promise<unknown> =>
    query(`update users set role = $2 where id = $1`, [world.user('otherCreator').id, role]);
  afterAll(() => demote('creator'));

  it('edits no article, and of a post what members may', async () => {
    const article = await world.content({ type: 'article' }, 'A', 'otherCreator');
    const [tag] = await query(
      `insert into access_tags ("PlatformId", title) values ($1, 'Patrons') returning id`,
      [world.platformId()],
    );
    const decided = {
      visibility: 'private',
      featured: true,
      publishedDate: '2020-01-01T00:00:00.000Z',
      slug: 'decided',
      options: { a: [1] },
      video: 'https://example.org/a.mp4',
      contentURI: 'https://example.org/a.pdf',
      AccessTagIds: [tag.id],
      requiredRole: 'premium',
    };
    const [post] = (await save({ title: 'Post', type: 'post', ...decided }, 'otherCreator')).body;
    await demote('free');

    const title = 'Changed';
    expect(refusal(await save({ id: article.id, title }, 'otherCreator'))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await save({ id: article.id, type: 'post' }, 'otherCreator'))).toEqual([403, 'FORBIDDEN']);
    expect((await world.as('free').get(`/api/content/${article.id}`)).body).toEqual({
      ...article,
      User: { ...article.User, role: 'free' },
    });

    // What staff decided stands as it is: neither another value nor the default.
    const changes = {
      visibility: 'members',
      featured: false,
      publishedDate: null,
      slug: 'other',
      options: null,
      video: null,
      contentURI: null,
      AccessTagIds: [],
      requiredRole: null,
    };
    for (const [field, value] of Object.entries(changes)) {
      const { status, body } = await save({ id: post.id, [field]: value }, 'otherCreator');
      expect([field, status, body.error?.code, body.error?.details?.[0].field]).toEqual([
        field,
        403,
        'ROLE_FORBIDDEN',
        field,
      ]);
    }
    const { status, body } = await save({ id: post.id, title, ...decided }, 'otherCreator');
    expect([status, body]).toEqual([
      200,
      [{ ...post, title, User: { ...post.User, role: 'free' }, updatedAt: expect.any(String) }, false],
    ]);
    expect((await world.as('otherCreator').delete(`/api/content/${article.id}`)).status).toBe(200);
  });
});

describe('B17 a gate', () => {
  it('lets nothing through beside the teaser', async () => {
    const group = await world.group({ name: 'Inner circle', visibility: 'hidden' });
    const hidden = 'undisclosed';
    const { id } = await world.content({
      title: 'Gated',
      visibility: 'members',
      description: `<p>${'Shown. '.repeat(30)}</p><p>${hidden}</p>`,
      GroupIds: [group.id],
      video: `https://example.org/${hidden}.mp4`,
      contentURI: `https://example.org/${hidden}.pdf`,
      options: { [hidden]: hidden },
    });
    await world.comment(id, { message: hidden }, 'creator');
    await inCollection(id);
    for (const client of [world.as('premium'), world.anonymous(), world.as('admin', 'B')]) {
      const answers = [
        await client.get(`/api/content/${id}/access`),
        await client.get(`/api/content/search?q=gated&PlatformId=${world.platformId()}`),
        await client.get(`/api/collection/${world.platformId()}`),
        await client.get(`/api/content/${id}/reactions`),
        await client.get(`/api/chat?contentId=${id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404]);
      for (const { text } of answers) expect(text).not.toMatch(/undisclosed|inner circle/i);
      expect(answers[1]?.body.items.map((one: { id: number }) => one.id)).toEqual([id]);
      expect(await found(hidden, client)).toEqual([]);
    }
    expect(await found(hidden, world.as('creator'))).toEqual([id]);
  });
});

describe('K items in collections', () => {
  it('leave at once when they are deleted, and are not put in again', async () => {
    const { id } = await world.content({ title: 'Leaving' });
    const [collection] = (await inCollection(id)).body;
    expect(await collected(id)).toEqual([id]);
    await world.as('creator').delete(`/api/content/${id}`);
    expect([await collected(id), await collected(id, world.as('admin'))]).toEqual([[], []]);
    expect(await found('leaving', world.as('admin'))).toEqual([]);
    const { status } = await world
      .as('admin')
      .post('/api/collection', { id: collection.id, ContentIds: [id] });
    expect(status).toBe(400);
    const [entry] = await query(
      `select "ActorId" from audit_log where action = 'content.delete' and "targetId" = $1`,
      [`${id}`],
    );
    expect(entry.ActorId).toBe(world.user('creator').id);
  });
});
