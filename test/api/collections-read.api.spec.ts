import type { ContentDto } from '../../src/content/dto/content.dto';
import { World } from '../factories/world';
import type { Client } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;
let collection: any;
let items: Record<'open' | 'members' | 'private' | 'hidden' | 'future' | 'expired', ContentDto>;

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  items = {
    open: await world.content({ title: 'open' }),
    members: await world.content({
      title: 'members',
      visibility: 'members',
      contentURI: 'https://example.org/a',
    }),
    private: await world.content({ title: 'private', visibility: 'private' }),
    hidden: await world.content({ title: 'hidden', visibility: 'hidden' }),
    future: await world.content({ title: 'future', publishedDate: '2999-01-01' }),
    expired: await world.content({ title: 'expired', expireDate: '2020-01-01' }),
  };
  const { body } = await world.as('creator').post('/api/collection', {
    name: 'Mixed',
    description: '<p onclick="x">About</p>',
    sortPreference: 'manual',
    showOnHomepage: false,
    ContentIds: Object.values(items).map(({ id }) => id),
  });
  [collection] = body;
});
afterAll(() => test.stop());

const titles = (body: any): string => body.Contents.map(({ title }: ContentDto) => title).join(' ');
const bySlug = (client: Client, more = ''): Promise<any> =>
  client.get(`/api/collection-by-slug/mixed/${world.platformId()}${more}`);
const byId = (client: Client, more = ''): Promise<any> =>
  client.get(`/api/collection-by-id/${collection.id}${more}`);
const inPublic = (client: Client): Promise<any> => client.get(`/api/collection/${collection.id}/public`);

/** The fields of the table, as every answer has them. */
const fields = (): object => {
  const { GroupIds: _, ContentIds: __, Contents: ___, contentTotal: ____, ...table } = collection;
  return table;
};

describe('GET /api/collection-by-slug/{slug}/{PlatformId}', () => {
  it('answers the fields, Contents and contentTotal, and nothing else, even to its owner', async () => {
    const anonymous = await bySlug(world.anonymous());
    expect(anonymous.body).toEqual({
      ...fields(),
      description: '<p>About</p>',
      Contents: [items.open, { ...items.members, locked: true, description: 'Its text.', contentURI: null }],
      contentTotal: 2,
    });
    const owner = await bySlug(world.as('creator'));
    expect(owner.body).toEqual({
      ...fields(),
      Contents: [items.open, items.members, items.private],
      contentTotal: 3,
    });
  });

  it('lets a token decide on teasers, gates and private items only', async () => {
    expect(titles((await bySlug(world.anonymous())).body)).toBe('open members');
    expect((await bySlug(world.anonymous())).body.Contents[1].locked).toBe(true);
    expect(titles((await bySlug(world.as('free'))).body)).toBe('open members');
    expect((await bySlug(world.as('free'))).body.Contents[1].locked).toBe(false);
    expect(titles((await bySlug(world.as('admin'))).body)).toBe('open members private');
    expect((await bySlug(world.as('admin', 'B'))).body).toEqual((await bySlug(world.anonymous())).body);
  });

  it('counts after exclusion and before the limit', async () => {
    for (const [limit, shown] of [
      ['1', 'open'],
      ['2', 'open members'],
      ['500', 'open members'],
    ]) {
      const { body } = await bySlug(world.anonymous(), `?limit=${limit}`);
      expect([titles(body), body.contentTotal]).toEqual([shown, 2]);
    }
  });

  it('answers an empty collection, too', async () => {
    const { body } = await world.as('creator').post('/api/collection', { name: 'Empty' });
    const { status, body: read } = await world
      .anonymous()
      .get(`/api/collection-by-slug/empty/${world.platformId()}`);
    expect([status, read.id, read.Contents, read.contentTotal]).toEqual([200, body[0].id, [], 0]);
  });

  it.each([
    ['a bearer token', { authorization: 'Bearer nonsense' }],
    ['a token header', { token: 'nonsense' }],
    ['a cookie', { cookie: 'token=nonsense' }],
  ])('takes a bad credential for none: %s', async (_, headers: Record<string, string>) => {
    const bad = test.client(headers);
    expect((await bySlug(bad)).body).toEqual((await bySlug(world.anonymous())).body);
    expect((await inPublic(bad)).body).toEqual((await inPublic(world.anonymous())).body);
    const list = `/api/collection/public/${world.platformId()}`;
    expect((await bad.get(list)).body).toEqual((await world.anonymous().get(list)).body);
  });

  it('tells collections of one slug on two platforms apart', async () => {
    await world.as('creator', 'B').post('/api/collection', { name: 'Theirs', slug: 'mixed' });
    const { body } = await world.anonymous().get(`/api/collection-by-slug/mixed/${world.platformId('B')}`);
    expect([body.name, body.PlatformId]).toEqual(['Theirs', world.platformId('B')]);
    expect((await bySlug(world.anonymous())).body.name).toBe('Mixed');
  });

  it('keeps instants to the millisecond', async () => {
    await query(
      `insert into collections ("PlatformId", "UserId", name, "nameKey", "searchKey", slug, position, "publishedDate", "expireDate", "createdAt", "updatedAt")
       values ($1, $2, 'Timed', '', '', 'timed', 9, '2020-02-29T23:59:59.001+05:30', '2999-12-31T00:00:00Z', '2020-01-01T00:00:00.1Z', '2020-01-01T00:00:00.12Z')`,
      [world.platformId(), world.user('creator').id],
    );
    const { body } = await world.anonymous().get(`/api/collection-by-slug/timed/${world.platformId()}`);
    expect([body.publishedDate, body.expireDate, body.createdAt, body.updatedAt]).toEqual([
      '2020-02-29T18:29:59.001Z',
      '2999-12-31T00:00:00.000Z',
      '2020-01-01T00:00:00.100Z',
      '2020-01-01T00:00:00.120Z',
    ]);
  });
});

describe('GET /api/collection/{id}/public', () => {
  it('answers as by slug to everybody', async () => {
    for (const client of [
      world.anonymous(),
      world.as('free'),
      world.as('creator'),
      world.as('admin'),
      world.as('admin', 'B'),
    ]) {
      const { status, body } = await inPublic(client);
      expect(status).toBe(200);
      expect(body).toEqual((await bySlug(client)).body);
    }
  });
});

describe('GET /api/collection-by-id/{id}', () => {
  it('shows staff hidden items always, and unpublished and expired ones when asked', async () => {
    for (const person of ['creator', 'otherCreator', 'admin'] as const) {
      const client = world.as(person);
      for (const more of ['', '?showFuture=false']) {
        const { body } = await byId(client, more);
        expect([titles(body), body.contentTotal]).toEqual(['open members private hidden', 4]);
      }
      const { body } = await byId(client, '?showFuture=true');
      expect([titles(body), body.contentTotal]).toEqual(['open members private hidden future expired', 6]);
    }
  });

  it('shows others what the slug shows them, whatever they ask for', async () => {
    for (const more of ['', '?showFuture=true']) {
      const { body } = await byId(world.as('free'), more);
      expect(body).toEqual((await bySlug(world.as('free'))).body);
    }
  });

  it('carries GroupIds and ContentIds for staff and the owner', async () => {
    const group = await world.group({ visibility: 'hidden' });
    const { body } = await world.as('creator').post('/api/collection', {
      name: 'Linked',
      GroupIds: [group.id],
      ContentIds: [items.future.id, items.open.id],
    });
    const [linked] = body;
    expect((await world.as('creator').get(`/api/collection-by-id/${linked.id}`)).body).toEqual(linked);
    const read = async (person: 'admin' | 'free' | 'otherFree'): Promise<any> =>
      (await world.as(person).get(`/api/collection-by-id/${linked.id}`)).body;
    expect(await read('admin')).toMatchObject({
      GroupIds: [group.id],
      ContentIds: [items.future.id, items.open.id],
    });
    // An owner who is no longer staff, and a member of the group.
    await query(`update collections set "UserId" = $2 where id = $1`, [linked.id, world.user('free').id]);
    await world.join(group.id, 'otherFree');
    expect(await read('free')).toMatchObject({
      GroupIds: [group.id],
      ContentIds: [items.future.id, items.open.id],
      contentTotal: 1,
    });
    const member = await read('otherFree');
    expect([titles(member), member.contentTotal]).toEqual(['open', 1]);
    expect(Object.keys(member)).not.toEqual(expect.arrayContaining(['GroupIds']));
    expect(Object.keys(member)).not.toEqual(expect.arrayContaining(['ContentIds']));
  });

  it('shows staff a collection that is not published yet, for by slug nobody has it', async () => {
    const { body } = await world
      .as('creator')
      .post('/api/collection', { name: 'Later', publishedDate: '2999-01-01', ContentIds: [items.open.id] });
    const path = `/api/collection-by-id/${body[0].id}`;
    expect((await world.as('otherCreator').get(path)).body).toEqual(body[0]);
    expect((await world.as('free').get(path)).status).toBe(404);
    for (const client of [world.anonymous(), world.as('creator'), world.as('admin')]) {
      const { status, body: refusal } = await client.get(
        `/api/collection-by-slug/later/${world.platformId()}`,
      );
      expect([status, refusal]).toEqual([404, { message: expect.any(String) }]);
      expect((await client.get(`/api/collection/${body[0].id}/public`)).status).toBe(404);
    }
  });

  it('shows the groups of an item only to those who may know of them', async () => {
    const [open, secret] = [
      await world.group({ name: 'Open', visibility: 'public' }),
      await world.group({ name: 'Secret', visibility: 'hidden' }),
    ];
    const item = await world.content({ GroupIds: [open.id, secret.id] });
    const { body } = await world
      .as('creator')
      .post('/api/collection', { name: 'Grouped', ContentIds: [item.id] });
    const groups = async (client: Client, path: string): Promise<string> =>
      (await client.get(path)).body.Contents[0].Groups.map(({ name }: { name: string }) => name).join(' ');
    const slug = `/api/collection-by-slug/grouped/${world.platformId()}`;
    expect(await groups(world.anonymous(), slug)).toBe('Open');
    expect(await groups(world.as('free'), `/api/collection-by-id/${body[0].id}`)).toBe('Open');
    expect(await groups(world.as('admin'), slug)).toBe('Open Secret');
  });

  it('no longer holds what was deleted', async () => {
    const [item, other] = [await world.content(), await world.content({ title: 'other' })];
    const { body } = await world
      .as('creator')
      .post('/api/collection', { name: 'Shrinking', ContentIds: [item.id, other.id] });
    await world.as('creator').delete(`/api/content/${item.id}`);
    const read = (await world.as('creator').get(`/api/collection-by-id/${body[0].id}?showFuture=true`)).body;
    expect([titles(read), read.ContentIds, read.contentTotal]).toEqual(['other', [other.id], 1]);
  });
});
