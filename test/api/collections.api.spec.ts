import type { ContentDto } from '../../src/content/dto/content.dto';
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
const save = (values: object, person: 'creator' | 'admin' = 'creator'): Promise<any> =>
  world.as(person).post('/api/collection', values);
const create = async (values: object): Promise<any> =>
  (await save({ name: 'A collection', ...values })).body[0];
const homepage = async (more = '', client = world.anonymous()): Promise<any[]> => {
  const { status, body } = await client.get(`/api/collection/${world.platformId()}?${more}`);
  expect(status).toBe(200);
  return body;
};
const contentsOf = async (id: number, more = '', client = world.anonymous()): Promise<string[]> =>
  (await homepage(more, client)).find((one) => one.id === id).Contents.map((item: ContentDto) => item.title);

describe('POST /api/collection', () => {
  it('answers the collection with its defaults, and true', async () => {
    const item = await world.content();
    const { status, body } = await save({
      name: ' Start here ',
      description: '<b onclick="x">Hi</b>',
      PlatformId: world.platformId(),
      ContentIds: [item.id],
    });
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        name: 'Start here',
        description: '<b>Hi</b>',
        slug: 'start-here',
        collectionBGImage: null,
        position: expect.any(Number),
        expireDate: null,
        publishedDate: null,
        collectionType: 'default',
        sortPreference: 'most recent first',
        showOnHomepage: true,
        PlatformId: world.platformId(),
        UserId: world.user('creator').id,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        Contents: [item],
        GroupIds: [],
        ContentIds: [item.id],
        contentTotal: 1,
      },
      true,
    ]);
    const next = await create({});
    expect(next.position).toBe(body[0].position + 1);
  });

  it('changes what is sent and keeps the rest', async () => {
    const [item, group] = [await world.content(), await world.group()];
    const before = await create({
      ContentIds: [item.id],
      GroupIds: [group.id],
      description: 'Text',
      expireDate: '2030-01-01',
    });
    const { body } = await save({
      id: before.id,
      name: 'Renamed',
      description: null,
      sortPreference: 'Whatever',
    });
    expect(body).toEqual([
      {
        ...before,
        name: 'Renamed',
        description: null,
        sortPreference: 'Whatever',
        updatedAt: expect.any(String),
      },
      false,
    ]);
    const emptied = await save(
      {
        id: before.id,
        ContentIds: [],
        GroupIds: [],
        expireDate: null,
        UserId: world.user('otherCreator').id,
      },
      'admin',
    );
    expect(emptied.body[0]).toMatchObject({
      ContentIds: [],
      GroupIds: [],
      Contents: [],
      expireDate: null,
      UserId: world.user('otherCreator').id,
    });
  });

  it('takes back what it answered, from an admin too whose owner is gone', async () => {
    const owner = world.user('otherCreator').id;
    const [before] = (await save({ name: 'Left', UserId: owner }, 'admin')).body;
    await query('update users set "deletedAt" = now() where id = $1', [owner]);
    const { body } = await save({ ...before, name: 'Kept up' }, 'admin');
    await query('update users set "deletedAt" = null where id = $1', [owner]);
    expect(body).toEqual([{ ...before, name: 'Kept up', updatedAt: expect.any(String) }, false]);
  });

  it('keeps the order of ContentIds, each where it was named first', async () => {
    const [a, b, c] = [await world.content(), await world.content(), await world.content()];
    const collection = await create({ ContentIds: [c.id, a.id, c.id, b.id, a.id], sortPreference: 'manual' });
    expect(collection.ContentIds).toEqual([c.id, a.id, b.id]);
    expect(collection.Contents.map(({ id }: ContentDto) => id)).toEqual([c.id, a.id, b.id]);
    const { body } = await save({ id: collection.id, ContentIds: [b.id, c.id] });
    expect(body[0].ContentIds).toEqual([b.id, c.id]);
  });
});

describe('GET /api/collection/{PlatformId}', () => {
  beforeEach(() => query('delete from collections'));

  it('lists by position, then id, with platform, contents and ads', async () => {
    const item = await world.content();
    const second = await create({ name: 'Second', position: 7 });
    const third = await create({ name: 'Third', position: 7 });
    const first = await create({ name: 'First', position: 0, ContentIds: [item.id] });
    const listed = await homepage();
    expect(listed.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
    const { GroupIds, ContentIds, contentTotal, ...shown } = first;
    expect([GroupIds, ContentIds, contentTotal]).toEqual([[], [item.id], 1]);
    expect(listed[0]).toEqual({
      ...shown,
      Contents: [item],
      Ads: [],
      Platform: expect.objectContaining({
        id: world.platformId(),
        name: 'Platform A',
        premiumToken: null,
        basicToken: null,
      }),
    });
    expect((await homepage('limit=2')).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('never shows the tokens of the platform, not even to its admin', async () => {
    await create({});
    await query(`update platforms set "premiumToken" = 'gold', "basicToken" = 'silver' where id = $1`, [
      world.platformId(),
    ]);
    const { text } = await world.as('admin').get(`/api/collection/${world.platformId()}`);
    expect(text).not.toMatch(/gold|silver/);
  });

  it('is empty for a platform that there is not', async () => {
    expect((await world.anonymous().get('/api/collection/2147483647')).body).toEqual([]);
    expect((await world.anonymous().get(`/api/collection/${world.platformId('B')}`)).body).toEqual([]);
  });

  it('hides what is not on the homepage and what is hidden, unless asked', async () => {
    const hidden = await world.content({ title: 'hidden', visibility: 'hidden' });
    const open = await world.content({ title: 'open' });
    const shown = await create({ ContentIds: [hidden.id, open.id], sortPreference: 'manual' });
    const off = await create({ showOnHomepage: false });
    for (const client of [world.anonymous(), world.as('admin')]) {
      expect((await homepage('', client)).map(({ id }) => id)).toEqual([shown.id]);
      expect(await contentsOf(shown.id, 'showHidden=false', client)).toEqual(['open']);
      expect((await homepage('showHidden=true', client)).map(({ id }) => id)).toEqual([shown.id, off.id]);
      expect(await contentsOf(shown.id, 'showHidden=true', client)).toEqual(['hidden', 'open']);
    }
  });

  it('leaves out future and expired collections, to the millisecond', async () => {
    const at = new Date(Date.now() + 10_000);
    const moment = (offset: number): string => new Date(at.getTime() + offset).toISOString();
    const now = [await create({ publishedDate: moment(0) }), await create({ expireDate: moment(0) })];
    await create({ publishedDate: moment(1) });
    await create({ expireDate: moment(-1) });
    test.clock.set(at);
    for (const client of [world.anonymous(), world.as('admin')]) {
      expect((await homepage('showHidden=true', client)).map(({ id }) => id)).toEqual(
        now.map(({ id }) => id),
      );
    }
    test.clock.reset();
  });

  it('leaves out collections whose gate the viewer does not pass', async () => {
    const group = await world.group();
    await world.join(group.id, 'basic');
    const gated = await create({ GroupIds: [group.id] });
    const closed = await create({});
    await query(`update collections set "gateClosed" = true where id = $1`, [closed.id]);
    const seenBy = async (client: ReturnType<typeof world.anonymous>): Promise<number[]> =>
      (await homepage('', client)).map(({ id }) => id);
    expect(await seenBy(world.anonymous())).toEqual([]);
    expect(await seenBy(world.as('free'))).toEqual([]);
    expect(await seenBy(world.as('admin', 'B'))).toEqual([]);
    expect(await seenBy(world.as('basic'))).toEqual([gated.id]);
    expect(await seenBy(world.as('otherCreator'))).toEqual([gated.id, closed.id]);
    await save({ id: closed.id, GroupIds: [] });
    expect(await seenBy(world.as('free'))).toEqual([closed.id]);
  });

  it('ignores a bad token', async () => {
    await create({});
    expect(await homepage('', test.client({ authorization: 'Bearer nonsense' }))).toHaveLength(1);
  });

  it('costs as many statements for many as for one', async () => {
    const items = [];
    for (let index = 0; index < 6; index++) items.push((await world.content()).id);
    await create({ ContentIds: items.slice(0, 1) });
    const cost = async (client = world.anonymous()): Promise<number> =>
      (await test.queriesOf(() => homepage('showHidden=true', client))).length;
    expect([await cost(), await cost(world.as('free'))]).toEqual([6, 5]);
    for (let index = 0; index < 8; index++) await create({ ContentIds: items });
    expect([await cost(), await cost(world.as('free'))]).toEqual([6, 5]);
  });
});
