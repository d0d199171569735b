import { type Person, World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const save = async (person: Person, values: object): Promise<any> => {
  const { status, body } = await world.as(person).post('/api/group', values);
  expect(status).toBe(200);
  return body;
};
const stored = async (table: 'contents' | 'collections', id: number): Promise<any> =>
  (await test.db.dataSource.query(`select * from ${table} where id = $1`, [id]))[0];

describe('POST /api/group', () => {
  it('edits what is sent and leaves the rest, for owners by membership and admins', async () => {
    const [{ id }] = await save('creator', { name: 'To edit', description: '<p>Old.</p>' });
    const [edited, created] = await save('admin', {
      id,
      name: 'Edited',
      description: null,
      joinPolicy: 'open',
    });
    expect(created).toBe(false);
    expect(edited).toMatchObject({
      id,
      name: 'Edited',
      slug: 'to-edit',
      description: null,
      joinPolicy: 'open',
    });
    await world.as('creator').post(`/api/group/${id}/members`, {
      userIds: [world.user('otherCreator').id],
      role: 'owner',
    });
    const [again] = await save('otherCreator', { id, visibility: 'private' });
    expect(again).toMatchObject({ name: 'Edited', visibility: 'private', UserId: world.user('creator').id });
  });
});

describe('who knows of a group', () => {
  const groups = {} as Record<string, any>;
  beforeAll(async () => {
    for (const visibility of ['public', 'members', 'private', 'hidden']) {
      [groups[visibility]] = await save('creator', { name: `Seen ${visibility}`, visibility });
      await world.as('creator').post(`/api/group/${groups[visibility].id}/members`, {
        userIds: [world.user('basic').id],
      });
    }
  });

  it.each<[string, Person | null, 'A' | 'B', string[]]>([
    ['a visitor', null, 'A', ['public']],
    ['a pending member', 'pending', 'A', ['public']],
    ['a member of another platform', 'free', 'B', ['public']],
    ['an admin of another platform', 'admin', 'B', ['public']],
    ['a member', 'free', 'A', ['public', 'members']],
    ['a banned member', 'banned', 'A', ['public', 'members']],
    ['one of its members', 'basic', 'A', ['public', 'members', 'private', 'hidden']],
    ['a creator', 'otherCreator', 'A', ['public', 'members', 'private', 'hidden']],
    ['an admin', 'admin', 'A', ['public', 'members', 'private', 'hidden']],
  ])('%s', async (_, person, platform, expected) => {
    const client = person ? world.as(person, platform) : world.anonymous();
    const { body } = await client.get(`/api/groups?PlatformId=${world.platformId()}&searchTerm=seen`);
    expect(body.items.map((one: any) => one.visibility)).toEqual(expected);
    expect(body.totalItems).toBe(expected.length);
    for (const [visibility, { id, slug }] of Object.entries(groups)) {
      const known = expected.includes(visibility) ? 200 : 404;
      const bySlug = await client.get(`/api/group-by-slug/${slug}/${world.platformId()}`);
      expect([visibility, bySlug.status, bySlug.body.id]).toEqual([
        visibility,
        known,
        known === 200 ? id : undefined,
      ]);
      if (!person || person === 'pending') continue;
      const byId = await client.get(`/api/group/${id}`);
      expect([visibility, byId.status]).toEqual([visibility, platform === 'A' ? known : 404]);
    }
  });
});

describe('GET /api/groups', () => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    const people = [world.user('free').id, world.user('otherFree').id];
    for (const [name, values, members] of [
      ['Listed Ändern', { joinPolicy: 'open' }, 2],
      ['listed Boats', { visibility: 'public' }, 0],
      ['Listed Cabins', { archived: true }, 1],
      ['Listed Decks', { joinPolicy: 'request' }, 1],
    ] as const) {
      const [{ id }] = await save('admin', { name, ...values });
      ids[name.slice(7)] = id;
      await world.as('admin').post(`/api/group/${id}/members`, { userIds: people.slice(0, members) });
    }
  });
  const list = async (query: string, person: Person = 'free'): Promise<string[]> => {
    const { status, body } = await world.as(person).get(`/api/groups?searchTerm=listed&${query}`);
    expect(status).toBe(200);
    return body.items.map((one: any) => one.name.slice(7));
  };

  it.each([
    ['', ['Ändern', 'Boats', 'Decks']],
    ['sort=name:desc', ['Decks', 'Boats', 'Ändern']],
    ['sort=memberCount:desc', ['Ändern', 'Decks', 'Boats']],
    ['filters=mine:true', ['Ändern', 'Decks']],
    ['filters=mine:false', ['Boats']],
    ['filters=archived:true', ['Cabins']],
    ['filters=archived:true,mine:false', []],
    ['filters=joinPolicy:open', ['Ändern']],
    [`filters=${encodeURIComponent('{"visibility":"public","archived":false}')}`, ['Boats']],
    ['itemsPerPage=2&currentPage=2', ['Decks']],
  ])('%s', async (query, names) => {
    expect(await list(query)).toEqual(names);
  });

  it('finds parts of words whatever their case and accents', async () => {
    const { body } = await world.as('free').get('/api/groups?searchTerm=%20ANDE%20list');
    expect(body.items.map((one: any) => one.name)).toEqual(['Listed Ändern']);
    expect((await world.as('free').get('/api/groups?searchTerm=%25')).body.items).toEqual([]);
  });

  it('shows each viewer their own membership', async () => {
    const { body } = await world.as('free').get('/api/groups?searchTerm=listed&sort=name:asc');
    expect(body.items.map((one: any) => one.myMembership?.UserId ?? null)).toEqual([
      world.user('free').id,
      null,
      world.user('free').id,
    ]);
    expect(
      (await world.as('basic').get('/api/groups?searchTerm=listed&filters=mine:true')).body.totalItems,
    ).toBe(0);
  });

  it('costs the same however many there are', async () => {
    const cost = async (size: number): Promise<number> =>
      (await test.queriesOf(() => world.as('free').get(`/api/groups?searchTerm=listed&itemsPerPage=${size}`)))
        .length;
    await cost(1);
    expect(await cost(1)).toBe(await cost(100));
    const anonymous = await test.queriesOf(() =>
      world.anonymous().get(`/api/groups?PlatformId=${world.platformId()}`),
    );
    expect(anonymous).toHaveLength(2);
  });
});

describe('GET /api/group-options and POST /api/groups/reorder', () => {
  const order = async (): Promise<number[]> => {
    const { body } = await world.as('creator', 'B').get('/api/group-options');
    return body.map((one: any) => one.id);
  };

  it('lists in short, by position, which reordering changes', async () => {
    const made: number[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) made.push((await world.group({ name }, 'B')).id);
    await world.group({ name: 'Past', archived: true }, 'B');
    const [one, two, three, four] = made;
    const { body } = await world.as('creator', 'B').get('/api/group-options');
    expect(body[0]).toEqual({ id: one, name: 'One', UserId: world.user('admin', 'B').id });
    expect(await order()).toEqual(made);
    const answer = await world.as('creator', 'B').post('/api/groups/reorder', { groupIds: [four, two] });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await order()).toEqual([one, four, two, three]);
    const all = await Promise.all(
      [made, made.toReversed(), [two, one, four, three]].map((groupIds) =>
        world.as('admin', 'B').post('/api/groups/reorder', { groupIds }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const positions = await test.db.dataSource.query(
      `select position from groups where "PlatformId" = $1 order by position`,
      [world.platformId('B')],
    );
    expect(positions.map((row: any) => row.position)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('DELETE /api/group/{id}', () => {
  it('closes the gates that lose their last entry, of content and collections', async () => {
    const { id } = await world.group({ name: 'To delete' });
    const { id: other } = await world.group({ name: 'To stay' });
    const member = world.user('free').id;
    await world.as('admin').post(`/api/group/${id}/members`, { userIds: [member] });
    await world.as('admin').post(`/api/group/${other}/members`, { userIds: [member] });
    const gated = await world.content({ visibility: 'members', GroupIds: [id] });
    const secret = await world.content({ visibility: 'private', GroupIds: [id] });
    const both = await world.content({ visibility: 'members', GroupIds: [id, other] });
    const filed = await world.content({ visibility: 'public', GroupIds: [id] });
    const collection = async (GroupIds: number[]): Promise<any> =>
      (await world.as('creator').post('/api/collection', { name: 'A collection', GroupIds })).body[0];
    const closing = await collection([id]);
    const staying = await collection([id, other]);

    const answer = await world.as('admin').delete(`/api/group/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: 'Group deleted.',
      id,
      affected: { contents: 4, collections: 2, courses: 0 },
    });
    expect(await stored('contents', gated.id)).toMatchObject({ visibility: 'private', gateClosed: true });
    expect(await stored('contents', secret.id)).toMatchObject({ visibility: 'private', gateClosed: true });
    expect(await stored('contents', both.id)).toMatchObject({ visibility: 'members', gateClosed: false });
    expect(await stored('contents', filed.id)).toMatchObject({ visibility: 'public' });
    expect(await stored('collections', closing.id)).toMatchObject({ gateClosed: true });
    expect(await stored('collections', staying.id)).toMatchObject({ gateClosed: false });
    for (const item of [gated, secret]) {
      expect((await world.as('free').get(`/api/content/${item.id}`)).status).toBe(404);
      expect((await world.as('creator').get(`/api/content/${item.id}`)).status).toBe(200);
    }
    expect((await world.as('free').get(`/api/content/${both.id}`)).body).toMatchObject({ locked: false });
    expect((await world.as('otherFree').get(`/api/content/${filed.id}`)).status).toBe(200);
    const shown = await world.as('free').get(`/api/collection/${world.platformId()}`);
    expect(shown.body.map((one: any) => one.id)).toEqual([staying.id]);
    expect((await world.as('admin').get(`/api/group/${id}`)).status).toBe(404);
    expect((await world.as('admin').delete(`/api/group/${id}`)).status).toBe(404);
    const audit = await test.db.dataSource.query(
      `select action, "ActorId" from audit_log where "targetType" = 'group' and "targetId" = $1`,
      [String(id)],
    );
    expect(audit.slice(1)).toEqual([{ action: 'group.delete', ActorId: world.user('admin').id }]);
  });

  describe('keeps a closed gate closed until the item is saved again, whatever is sent', () => {
    it.each([
      ['members', {}, 'members', 'members'],
      ['members', { title: 'Renamed' }, 'members', 'members'],
      ['members', { visibility: 'members' }, 'members', 'members'],
      ['members', { GroupIds: [] }, 'members', 'members'],
      ['members', { requiredRole: 'premium' }, 'members', 'gated'],
      ['members', { visibility: 'private' }, 'private', 'author-and-staff'],
      ['members', { visibility: 'public' }, 'public', 'everyone'],
      ['private', { title: 'Renamed' }, 'private', 'author-and-staff'],
      ['public', { title: 'Renamed' }, 'public', 'everyone'],
    ])('one for %s, by %j: it is %s, for %s', async (before, sent, after, readers) => {
      const [{ id }] = await save('creator', { name: 'Gone soon' });
      const item = await world.content({ visibility: before as 'members', GroupIds: [id] });
      expect((await world.as('creator').delete(`/api/group/${id}`)).status).toBe(200);
      const closed = await world.as('free').get(`/api/content/${item.id}`);
      expect(closed.status).toBe(before === 'public' ? 200 : 404);
      const { body, headers } = await world.as('creator').post('/api/content', { id: item.id, ...sent });
      expect([body[0].visibility, headers['x-warning']]).toEqual([after, `gate-opened ${readers}`]);
      const read = await world.as('free').get(`/api/content/${item.id}`);
      const told = { everyone: [200, false], members: [200, false], gated: [200, true] }[readers];
      expect([read.status, read.body.locked]).toEqual(told ?? [404, undefined]);
      const again = await world.as('creator').post('/api/content', { id: item.id, title: 'Once more' });
      expect([again.body[0].visibility, again.headers['x-warning']]).toEqual([after, undefined]);
    });
  });

  it('keeps a collection closed until it is saved again, whatever is sent', async () => {
    for (const [sent, readers] of [
      [{ name: 'Renamed' }, 'everyone'],
      [{ GroupIds: [(await world.group()).id] }, 'gated'],
    ] as const) {
      const [{ id: groupId }] = await save('creator', { name: 'Gone soon' });
      const { id } = await world.collection({ GroupIds: [groupId] });
      await world.as('creator').delete(`/api/group/${groupId}`);
      expect((await world.as('free').get(`/api/collection-by-id/${id}`)).status).toBe(404);
      const { headers } = await world.as('admin').post('/api/collection', { id, ...sent });
      expect(headers['x-warning']).toBe(`gate-opened ${readers}`);
      const { status } = await world.as('free').get(`/api/collection-by-id/${id}`);
      expect(status).toBe(readers === 'everyone' ? 200 : 404);
    }
  });

  it('keeps a post closed until its author saves it again, whatever is sent', async () => {
    const [{ id: groupId }] = await save('creator', { name: 'Gone soon' });
    await world.as('creator').post(`/api/group/${groupId}/members`, { userIds: [world.user('free').id] });
    const post = await world.post('free', { GroupIds: [groupId] });
    await world.as('creator').delete(`/api/group/${groupId}`);
    expect((await world.as('basic').get(`/api/post/${post.id}`)).status).toBe(404);
    const { body, headers } = await world.as('free').post('/api/post', { id: post.id, chatEnabled: true });
    expect([body[0].visibility, headers['x-warning']]).toEqual(['members', 'gate-opened members']);
    expect((await world.as('basic').get(`/api/post/${post.id}`)).body.access.canRead).toBe(true);
  });

  it('leaves nothing open when all groups of one gate are deleted at once', async () => {
    const GroupIds: number[] = [];
    for (let index = 0; index < 10; index++) GroupIds.push((await world.group()).id);
    const item = await world.content({ visibility: 'members', GroupIds });
    const answers = await Promise.all(GroupIds.map((id) => world.as('admin').delete(`/api/group/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await stored('contents', item.id)).toMatchObject({ visibility: 'private', gateClosed: true });
  });
});
