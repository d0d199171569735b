import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

type Person = 'creator' | 'otherCreator' | 'admin';
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const create = async (
  values: object,
  person: Person = 'creator',
  platform: 'A' | 'B' = 'A',
): Promise<any> => {
  const { status, body } = await world.as(person, platform).post('/api/collection', values);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body[0];
};
const clear = (): Promise<unknown> => query('delete from collections');

describe('GET /api/admin/collections', () => {
  const names = ['Harbour', 'Ämter', 'Boats', 'Zoo', 'Later', 'Gone'] as const;
  const made = {} as Record<(typeof names)[number], any>;
  let items: number[];
  let groupId: number;

  beforeAll(async () => {
    await clear();
    items = [
      (await world.content()).id,
      (await world.content({ visibility: 'private' })).id,
      (await world.content({ publishedDate: '2999-01-01' })).id,
    ];
    const deleted = await world.content();
    groupId = (await world.group()).id;
    made.Harbour = await create({
      name: 'Harbour',
      description: '<p>All about <b>tides</b> 100%</p>',
      GroupIds: [groupId],
      ContentIds: [items[2], items[0], deleted.id, items[1]],
    });
    made['Ämter'] = await create({ name: 'Ämter', slug: 'the-offices' }, 'otherCreator');
    made.Boats = await create({ name: 'Boats', collectionType: 'series', showOnHomepage: false }, 'admin');
    made.Zoo = await create({ name: 'Zoo', position: 0, collectionType: 'a, b:c' });
    made.Later = await create({ name: 'Later', publishedDate: '2999-01-01' });
    made.Gone = await create({ name: 'Gone', publishedDate: '2020-01-01', expireDate: '2020-02-01' });
    await create({ name: 'Foreign' }, 'creator', 'B');
    await world.as('creator').delete(`/api/content/${deleted.id}`);
    for (const [index, name] of names.entries()) {
      await query(`update collections set "createdAt" = $2, "updatedAt" = $3 where id = $1`, [
        made[name].id,
        new Date(Date.UTC(2025, 0, 10 + index)),
        new Date(Date.UTC(2025, 1, 10 - index)),
      ]);
    }
  });

  const list = async (more = '', person: Person = 'admin'): Promise<any> => {
    const { status, body } = await world.as(person).get(`/api/admin/collections?${more}`);
    expect(status).toBe(200);
    return body;
  };
  const listed = async (more: string, person?: Person): Promise<string> =>
    (await list(more, person)).items.map(({ name }: any) => name).join(' ');

  it('answers the fields with GroupIds, ContentIds and contentTotal, without Contents', async () => {
    const { Contents: _, ...fields } = made.Harbour;
    const page = await list('searchTerm=harbour');
    expect(page).toEqual({
      items: [
        {
          ...fields,
          createdAt: '2025-01-10T00:00:00.000Z',
          updatedAt: '2025-02-10T00:00:00.000Z',
          GroupIds: [groupId],
          ContentIds: [items[2], items[0], items[1]],
          contentTotal: 3,
        },
      ],
      totalItems: 1,
      currentPage: 1,
      itemsPerPage: 25,
      totalPages: 1,
    });
  });

  it('lists by position all of the platform for admins, for creators their own', async () => {
    expect(await listed('')).toBe('Zoo Harbour Ämter Boats Later Gone');
    expect(await listed('', 'creator')).toBe('Zoo Harbour Later Gone');
    expect(await listed('', 'otherCreator')).toBe('Ämter');
    expect(await listed(`filters=UserId:${world.user('admin').id}`, 'otherCreator')).toBe('');
  });

  it.each([
    ['position:desc', 'Gone Later Boats Ämter Harbour Zoo'],
    ['name:asc', 'Ämter Boats Gone Harbour Later Zoo'],
    ['name:desc', 'Zoo Later Harbour Gone Boats Ämter'],
    ['createdAt:asc', 'Harbour Ämter Boats Zoo Later Gone'],
    ['createdAt:desc', 'Gone Later Zoo Boats Ämter Harbour'],
    ['updatedAt:asc', 'Gone Later Zoo Boats Ämter Harbour'],
    ['updatedAt:desc', 'Harbour Ämter Boats Zoo Later Gone'],
    ['publishedDate:asc', 'Gone Harbour Ämter Boats Zoo Later'],
    ['publishedDate:desc', 'Later Zoo Boats Ämter Harbour Gone'],
  ])('sorts by %s', async (sort, order) => {
    expect(await listed(`sort=${sort}`)).toBe(order);
  });

  it('breaks ties by id', async () => {
    await query('update collections set position = 5');
    const byId = names.toSorted((one, other) => made[one].id - made[other].id);
    expect(await listed('sort=position:asc')).toBe(byId.join(' '));
    expect(await listed('sort=position:desc')).toBe(byId.toReversed().join(' '));
    for (const name of names) {
      await query('update collections set position = $2 where id = $1', [made[name].id, made[name].position]);
    }
  });

  it.each([
    ['harb', 'Harbour'],
    ['AMTER', 'Ämter'],
    ['offices', 'Ämter'],
    ['the-offices', 'Ämter'],
    ['tides', 'Harbour'],
    ['tides about', 'Harbour'],
    ['tides boats', ''],
    ['<b>', ''],
    ['%', 'Harbour'],
    ['_', ''],
    ["' or 1=1 --", ''],
    ['  ', 'Zoo Harbour Ämter Boats Later Gone'],
  ])('finds %j in name, description and slug', async (term, found) => {
    expect(await listed(`searchTerm=${encodeURIComponent(term)}`)).toBe(found);
  });

  it.each([
    ['collectionType:series', 'Boats'],
    ['collectionType:default', 'Harbour Ämter Later Gone'],
    ['{"collectionType":"a, b:c"}', 'Zoo'],
    ["collectionType:series' or 1=1 --", ''],
    ['showOnHomepage:false', 'Boats'],
    ['showOnHomepage:true,collectionType:series', ''],
    ['published:true', 'Zoo Harbour Ämter Boats Gone'],
    ['published:false', 'Later'],
    ['{"published":true,"showOnHomepage":false}', 'Boats'],
  ])('filters %s', async (filters, found) => {
    expect(await listed(`filters=${encodeURIComponent(filters)}`)).toBe(found);
  });

  it('filters by owner', async () => {
    expect(await listed(`filters=UserId:${world.user('otherCreator').id}`)).toBe('Ämter');
  });

  it('pages, and is empty past the end with the right totals', async () => {
    expect(await list('itemsPerPage=4&currentPage=2')).toMatchObject({
      items: [{ name: 'Later' }, { name: 'Gone' }],
      totalItems: 6,
      currentPage: 2,
      itemsPerPage: 4,
      totalPages: 2,
    });
    expect(await list('itemsPerPage=1000&currentPage=2147483647')).toEqual({
      items: [],
      totalItems: 6,
      currentPage: 2_147_483_647,
      itemsPerPage: 100,
      totalPages: 1,
    });
  });

  it('lists to choose from all of the platform', async () => {
    const { body } = await world.as('otherCreator').get('/api/collection-options');
    expect(body.map(({ name }: any) => name).join(' ')).toBe('Zoo Harbour Ämter Boats Later Gone');
    expect(body[0]).toEqual({ id: made.Zoo.id, name: 'Zoo', UserId: world.user('creator').id });
  });

  describe('and GET /api/collection/public/{PlatformId}', () => {
    const inPublic = async (more = '', platformId = world.platformId()): Promise<any> => {
      const { status, body } = await world.anonymous().get(`/api/collection/public/${platformId}?${more}`);
      expect(status).toBe(200);
      return body;
    };
    const publicNames = async (more: string): Promise<string> =>
      (await inPublic(more)).items.map(({ name }: any) => name).join(' ');

    it('answers the fields with what a visitor finds counted, without Contents and links', async () => {
      await world.as('otherCreator').post('/api/collection', { id: made['Ämter'].id, ContentIds: items });
      const page = await inPublic('searchTerm=amter');
      const { Contents: _, GroupIds: __, ContentIds: ___, ...fields } = made['Ämter'];
      expect(page).toEqual({
        items: [{ ...fields, createdAt: expect.any(String), updatedAt: expect.any(String), contentTotal: 1 }],
        totalItems: 1,
        currentPage: 1,
        itemsPerPage: 25,
        totalPages: 1,
      });
    });

    it('lists what runs, stands on the homepage and has no gate, to whoever asks', async () => {
      expect(await publicNames('')).toBe('Zoo Ämter');
      expect(await publicNames('sort=name:asc')).toBe('Ämter Zoo');
      expect(await publicNames('itemsPerPage=1&currentPage=2')).toBe('Ämter');
      expect(await publicNames('filters=showOnHomepage:false')).toBe('');
      expect(await publicNames(`filters=UserId:${world.user('creator').id}`)).toBe('Zoo');
      expect(await publicNames('filters={"collectionType":"a, b:c"}')).toBe('Zoo');
      expect(await publicNames('searchTerm=tides')).toBe('');
      expect(await publicNames('showHidden=true')).toBe('Zoo Ämter');
      const admin = await world.as('admin').get(`/api/collection/public/${world.platformId()}`);
      expect(admin.body).toEqual(await inPublic());
    });

    it('is empty for a platform that there is not', async () => {
      expect(await inPublic('', 2_147_483_647)).toEqual({
        items: [],
        totalItems: 0,
        currentPage: 1,
        itemsPerPage: 25,
        totalPages: 0,
      });
    });
  });
});

describe('POST /api/collections/reorder', () => {
  const order = async (platform: 'A' | 'B' = 'A'): Promise<{ ids: number[]; positions: number[] }> => {
    const rows = await query(
      `select id, position from collections where "PlatformId" = $1 order by position, id`,
      [world.platformId(platform)],
    );
    return { ids: rows.map(({ id }) => id), positions: rows.map(({ position }) => position) };
  };
  const reorder = (collectionIds: unknown, person: Person = 'creator', platform: 'A' | 'B' = 'A') =>
    world.as(person, platform).post('/api/collections/reorder', { collectionIds });

  let ids: number[];
  beforeEach(async () => {
    await clear();
    ids = [];
    for (const name of ['1', '2', '3', '4', '5']) ids.push((await create({ name })).id);
  });

  it('puts the listed ones where the earliest of them stood, and renumbers all', async () => {
    const [a, b, c, d, e] = ids as [number, number, number, number, number];
    await query(`update collections set position = position * 10`);
    const answer = await reorder([e, b, d]);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await order()).toEqual({ ids: [a, e, b, d, c], positions: [1, 2, 3, 4, 5] });
    const { body } = await world.anonymous().get(`/api/collection/${world.platformId()}`);
    expect(body.map(({ id }: any) => id)).toEqual([a, e, b, d, c]);
  });

  it('moves all or nothing: unknown and foreign ids are 404, others’ 403', async () => {
    const foreign = (await create({ name: 'Foreign' }, 'creator', 'B')).id;
    const others = (await create({ name: 'Others' }, 'otherCreator')).id;
    const before = await order();
    for (const [list, status, code] of [
      [[ids[1], ids[0], 2_147_483_647], 404, 'NOT_FOUND'],
      [[ids[1], ids[0], foreign], 404, 'NOT_FOUND'],
      [[others, foreign], 404, 'NOT_FOUND'],
      [[ids[1], others, ids[0]], 403, 'FORBIDDEN'],
    ] as const) {
      const { status: answered, body } = await reorder(list);
      expect([answered, body.error.code]).toEqual([status, code]);
    }
    expect(await order()).toEqual(before);
    expect((await reorder([others, ids[0]], 'admin')).status).toBe(200);
    expect((await order()).ids.slice(0, 2)).toEqual([others, ids[0]]);
    expect(await order('B')).toEqual({ ids: [foreign], positions: [1] });
  });

  it('leaves one whole order after 20 at once, with creations in between', async () => {
    const shuffled = (seed: number): number[] =>
      ids
        .map((id, index) => [(index * 7 + seed * 3) % 5, id] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, id]) => id);
    const orders = Array.from({ length: 20 }, (_, index) => shuffled(index));
    const [answers, made] = await Promise.all([
      Promise.all(orders.map((list) => reorder(list))),
      Promise.all(Array.from({ length: 5 }, () => create({ name: 'Meanwhile' }))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { ids: stands, positions } = await order();
    expect(orders).toContainEqual(stands.slice(0, 5));
    expect(new Set(stands.slice(5))).toEqual(new Set(made.map(({ id }) => id)));
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('a collection without a position', () => {
  beforeEach(clear);

  it('stands last, behind one at the very end too', async () => {
    const end = await create({ name: 'End', position: 2_147_483_647 });
    const behind = await create({ name: 'Behind' });
    const { body } = await world.as('admin').get('/api/admin/collections');
    expect(body.items.map(({ id }: { id: number }) => id)).toEqual([end.id, behind.id]);
  });
});

describe('20 creations at once', () => {
  beforeEach(clear);

  it('of one name get a slug and a place each', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Twins' })));
    const slugs = made.map(({ slug }) => slug as string);
    expect(new Set(slugs)).toEqual(
      new Set(['twins', ...Array.from({ length: 19 }, (_, index) => `twins-${index + 2}`)]),
    );
    expect(new Set(made.map(({ position }) => position)).size).toBe(20);
  });

  it('of one slug leave one winner', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.as('creator').post('/api/collection', { name: 'Only', slug: 'only' }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const { status, body } of refused) {
      expect([status, body.error.details]).toEqual([400, [{ field: 'slug', issue: 'taken' }]]);
    }
    expect(await query('select slug from collections')).toEqual([{ slug: 'only' }]);
  });

  it('and 20 edits leave one whole list of contents', async () => {
    const items: number[] = [];
    for (let index = 0; index < 4; index++) items.push((await world.content()).id);
    const { id } = await create({ name: 'Edited' });
    const lists = Array.from({ length: 20 }, (_, index) => [
      ...items.slice(index % 4),
      ...items.slice(0, index % 4),
    ]);
    const answers = await Promise.all(
      lists.map((ContentIds) => world.as('creator').post('/api/collection', { id, ContentIds })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { body } = await world.as('creator').get(`/api/collection-by-id/${id}`);
    expect(lists).toContainEqual(body.ContentIds);
  });
});

describe('DELETE /api/collection-by-id/{id}', () => {
  beforeEach(clear);

  it('deletes it for its owner and for admins, once, and leaves its contents', async () => {
    const item = await world.content();
    for (const person of ['creator', 'admin'] as const) {
      const { id, slug } = await create({ name: 'Gone soon', ContentIds: [item.id] });
      const answer = await world.as(person).delete(`/api/collection-by-id/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { message: 'Collection deleted.', id }]);
      const again = await world.as(person).delete(`/api/collection-by-id/${id}`);
      expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect((await world.as('admin').get(`/api/collection-by-id/${id}`)).status).toBe(404);
      expect(
        (await world.anonymous().get(`/api/collection-by-slug/${slug}/${world.platformId()}`)).status,
      ).toBe(404);
      const [entry] = await query(
        `select action, "ActorId", "targetType", "targetId" from audit_log where "targetId" = $1 and "targetType" = 'collection'`,
        [String(id)],
      );
      expect(entry).toEqual({
        action: 'collection.delete',
        ActorId: world.user(person).id,
        targetType: 'collection',
        targetId: String(id),
      });
    }
    expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(200);
  });

  it('is not at the path that reads the collections of a platform', async () => {
    const { id } = await create({ name: 'Stays' });
    expect((await world.as('admin').delete(`/api/collection/${id}`)).status).toBe(404);
    expect((await world.as('admin').get(`/api/collection-by-id/${id}`)).status).toBe(200);
  });

  it('answers once when 10 delete at once', async () => {
    const { id } = await create({ name: 'Race' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.as('admin').delete(`/api/collection-by-id/${id}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array(9).fill(404)]);
  });
});
