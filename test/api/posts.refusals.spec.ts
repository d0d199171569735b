import { type Person, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const refusal = ({ status, body }: Answer): unknown => [status, body.error?.code];
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const countOf = async (): Promise<number> =>
  (await query('select count(*)::int as count from contents'))[0].count;

describe('POST /api/post refuses', () => {
  it.each<[object, string]>([
    [{}, 'message'],
    [{ message: null }, 'message'],
    [{ message: 7 }, 'message'],
    [{ message: '' }, 'message'],
    [{ message: ' \u200b ' }, 'message'],
    [{ message: '<script>x</script><p></p>' }, 'message'],
    [{ message: 'x'.repeat(10_001) }, 'message'],
    [{ message: 'nul \0' }, 'message'],
    [{ message: 'x', title: '' }, 'title'],
    [{ message: 'x', title: 'x'.repeat(301) }, 'title'],
    [{ message: 'x', title: null }, 'title'],
    [{ message: 'x', GroupIds: null }, 'GroupIds'],
    [{ message: 'x', GroupIds: [0] }, 'GroupIds'],
    [{ message: 'x', chatEnabled: 'yes' }, 'chatEnabled'],
    [{ message: 'x', id: 0 }, 'id'],
    [{ message: 'x', id: '1' }, 'id'],
  ])('%j', async (dto, field) => {
    const before = await countOf();
    const { status, body } = await world.as('free').post('/api/post', dto);
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(await countOf()).toBe(before);
  });

  it('who may not write', async () => {
    const dto = { message: 'No' };
    expect(refusal(await world.anonymous().post('/api/post', dto))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').post('/api/post', dto))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
    expect(refusal(await world.as('banned').post('/api/post', dto))).toEqual([403, 'BANNED']);
  });

  it('groups that are closed to the member’s posts, on create and when a post is moved', async () => {
    const [open, moderated, archived, strange, hidden, banned] = await Promise.all([
      world.group(),
      world.group({ postPolicy: 'moderators' }),
      world.group({ archived: true }),
      world.group(),
      world.group({ visibility: 'hidden' }),
      world.group(),
    ]);
    for (const { id } of [open, moderated, archived]) await world.join(id, 'free');
    await world.join(banned.id, 'free', 'moderator', 'banned');
    const foreign = await world.group({}, 'B');
    const post = await world.post('free', { GroupIds: [open.id] });
    const before = await countOf();
    for (const id of [
      moderated.id,
      archived.id,
      strange.id,
      hidden.id,
      banned.id,
      foreign.id,
      2_000_000_000,
    ]) {
      for (const dto of [
        { message: `Into ${id}`, GroupIds: [open.id, id] },
        { id: post.id, GroupIds: [open.id, id] },
      ]) {
        const { status, body } = await world.as('free').post('/api/post', dto);
        expect([id, status, body.error.code]).toEqual([id, 403, 'ROLE_FORBIDDEN']);
        expect(body.error.details).toEqual([
          { field: 'GroupIds', issue: `group ${id} is closed to your posts` },
        ]);
      }
      const byContent = await world
        .as('free')
        .post('/api/content', { type: 'post', description: `Into ${id}`, GroupIds: [id] });
      expect([id, ...(refusal(byContent) as unknown[])]).toEqual([id, 403, 'ROLE_FORBIDDEN']);
    }
    expect(await countOf()).toBe(before);
    expect((await world.as('free').get(`/api/post/${post.id}`)).body.Groups).toEqual([
      { id: open.id, name: open.name },
    ]);
  });

  it('unknown groups of staff, listing them', async () => {
    const foreign = await world.group({}, 'B');
    const { status, body } = await world
      .as('creator')
      .post('/api/post', { message: 'Staff', GroupIds: [foreign.id] });
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'GroupIds', issue: `unknown id ${foreign.id}` }],
    ]);
  });

  it('posts of others: 403 for those who see them, 404 for others and for what is no post', async () => {
    const group = await world.group();
    await world.join(group.id, 'otherFree');
    await world.join(group.id, 'basic', 'moderator');
    const post = await world.post('otherFree', { GroupIds: [group.id] });
    const edit = (person: Person, id: number): Promise<Answer> =>
      world.as(person).post('/api/post', { id, message: 'Mine now' });
    for (const person of ['free', 'basic', 'creator'] as const) {
      expect([person, refusal(await edit(person, post.id))]).toEqual([person, [403, 'FORBIDDEN']]);
    }
    await query(`update contents set visibility = 'private' where id = $1`, [post.id]);
    expect(refusal(await edit('free', post.id))).toEqual([404, 'NOT_FOUND']);
    const article = await world.content();
    const foreign = await world.post('free', {}, 'B');
    for (const id of [article.id, foreign.id, 2_000_000_000]) {
      expect(refusal(await edit('admin', id))).toEqual([404, 'NOT_FOUND']);
    }
    const gone = await world.post('free');
    await world.as('free').delete(`/api/post/${gone.id}`);
    expect(refusal(await edit('free', gone.id))).toEqual([404, 'NOT_FOUND']);
    expect((await world.as('otherFree').get(`/api/post/${post.id}`)).body.message).toBe(post.message);
  });

  it('an edit that leaves nothing to read, and changes nothing', async () => {
    const post = await world.post('free');
    for (const message of ['<p> </p>', 'x'.repeat(10_001)]) {
      const { status, body } = await world.as('free').post('/api/post', { id: post.id, message });
      expect([status, body.error.details[0].field]).toEqual([400, 'message']);
    }
    expect((await world.as('free').get(`/api/post/${post.id}`)).body).toEqual(post);
  });
});

describe("a member's POST /api/content refuses", () => {
  it('a post past the length of messages, though staff may', async () => {
    const dto = { type: 'post', title: 'T', description: 'x'.repeat(10_001) };
    const { status, body } = await world.as('free').post('/api/content', dto);
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'description', issue: 'must be at most 10000 characters' }],
    ]);
    expect((await world.as('creator').post('/api/content', dto)).status).toBe(200);
    const exact = await world.as('free').post('/api/content', { ...dto, description: '🌊'.repeat(10_000) });
    expect(exact.status).toBe(200);
  });

  it('a post without message', async () => {
    const { status, body } = await world.as('free').post('/api/content', { type: 'post', title: 'T' });
    expect([status, body.error.details[0].field]).toEqual([400, 'description']);
  });

  it('another type, another’s post, and the article of a creator who is one no longer', async () => {
    const post = await world.post('free');
    const edit = (person: Person, values: object): Promise<Answer> =>
      world.as(person).post('/api/content', values);
    expect(refusal(await edit('free', { id: post.id, type: 'article' }))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit('basic', { id: post.id, description: 'Mine' }))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await edit('free', { id: post.id, UserId: world.user('basic').id }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    const article = await world.content({}, 'A', 'otherCreator');
    await query(`update users set role = 'free' where id = $1`, [world.user('otherCreator').id]);
    for (const dto of [{ title: 'Changed' }, { type: 'post' }, { type: 'post', description: 'Changed' }]) {
      expect(refusal(await edit('otherCreator', { id: article.id, ...dto }))).toEqual([403, 'FORBIDDEN']);
    }
    await query(`update users set role = 'creator' where id = $1`, [world.user('otherCreator').id]);
    expect((await world.as('otherCreator').get(`/api/content/${article.id}`)).body).toMatchObject({
      title: article.title,
      type: 'article',
    });
  });
});

describe('GET /api/post/{id} refuses', () => {
  it('what is no post, is deleted or is not there for the viewer', async () => {
    const article = await world.content();
    const deleted = await world.post('free');
    await world.as('free').delete(`/api/post/${deleted.id}`);
    const secret = await world.post('free');
    await query(`update contents set visibility = 'private' where id = $1`, [secret.id]);
    for (const id of [article.id, deleted.id, 0, 2_147_483_647, 2_147_483_648]) {
      expect([id, refusal(await world.as('admin').get(`/api/post/${id}`))]).toEqual([id, [404, 'NOT_FOUND']]);
    }
    expect(refusal(await world.as('basic').get(`/api/post/${secret.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await world.as('admin', 'B').get(`/api/post/${secret.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await world.as('admin').get('/api/post/abc'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a bad token', async () => {
    const { id } = await world.post('free');
    const bad = test.client({ authorization: 'Bearer nonsense' });
    expect(refusal(await bad.get(`/api/post/${id}`))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await bad.get('/api/posts'))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('teasers where the platform shows none', async () => {
    const { id } = await world.post('free');
    await query(`update platforms set settings = '{"showTeasers": false}' where id = $1`, [
      world.platformId(),
    ]);
    expect(refusal(await world.anonymous().get(`/api/post/${id}`))).toEqual([404, 'NOT_FOUND']);
    await query(`update platforms set settings = '{}' where id = $1`, [world.platformId()]);
  });
});

describe('GET /api/posts refuses', () => {
  it.each([
    'sort=title:asc',
    'sort=createdAt',
    'sort=activity:up',
    'filters=type:post',
    'filters=GroupId:x',
    'filters=GroupId:0',
    'filters={"UserId":"a"}',
    'filters=UserId:1,UserId:2',
    'itemsPerPage=0',
    'currentPage=1.5',
    'currentPage=1&currentPage=2',
    'PlatformId=x',
  ])('%s', async (search) => {
    expect(refusal(await world.as('free').get(`/api/posts?${search}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('visitors who name no platform', async () => {
    expect(refusal(await world.anonymous().get('/api/posts'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe.each([
  ['pin', 'pinned'],
  ['lock', 'locked'],
])('POST /api/post/{id}/%s refuses', (verb, field) => {
  it.each([{}, { [field]: null }, { [field]: 'true' }, { [field]: 1 }])('%j', async (dto) => {
    const { id } = await world.post('free');
    const { status, body } = await world.as('admin').post(`/api/post/${id}/${verb}`, dto);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  it('authors, members of its group, moderators of another and those whose time is over', async () => {
    const [group, other] = [await world.group(), await world.group()];
    await world.join(group.id, 'otherFree');
    await world.join(group.id, 'basic');
    await world.join(group.id, 'premium', 'moderator');
    await world.join(other.id, 'free', 'moderator');
    await query(`update group_members set "expiresAt" = now() - interval '1 day' where "UserId" = $1`, [
      world.user('premium').id,
    ]);
    const { id } = await world.post('otherFree', { GroupIds: [group.id] });
    for (const person of ['otherFree', 'basic', 'free', 'premium'] as const) {
      const answer = await world.as(person).post(`/api/post/${id}/${verb}`, { [field]: true });
      expect([person, refusal(answer)]).toEqual([person, [403, 'FORBIDDEN']]);
    }
    expect((await world.as('admin').get(`/api/post/${id}`)).body).toMatchObject({
      pinned: false,
      locked: false,
    });
  });

  it('what is no post of the platform', async () => {
    const article = await world.content();
    const foreign = await world.post('free', {}, 'B');
    for (const id of [article.id, foreign.id, 2_000_000_000]) {
      const answer = await world.as('admin').post(`/api/post/${id}/${verb}`, { [field]: true });
      expect(refusal(answer)).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('DELETE /api/post/{id} refuses', () => {
  it('members, creators and moderators of other groups, and what is no post', async () => {
    const [group, other] = [await world.group(), await world.group()];
    await world.join(group.id, 'otherFree');
    await world.join(other.id, 'basic', 'owner');
    const { id } = await world.post('otherFree', { GroupIds: [group.id] });
    for (const person of ['free', 'basic', 'creator'] as const) {
      expect([person, refusal(await world.as(person).delete(`/api/post/${id}`))]).toEqual([
        person,
        [403, 'FORBIDDEN'],
      ]);
    }
    const article = await world.content();
    expect(refusal(await world.as('admin').delete(`/api/post/${article.id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await world.anonymous().get(`/api/content/search?q=article`)).status).toBe(200);
    expect((await world.as('otherFree').get(`/api/post/${id}`)).status).toBe(200);
  });
});

describe('GET /api/feed refuses', () => {
  it('who is not signed in', async () => {
    expect(refusal(await world.anonymous().get('/api/feed'))).toEqual([401, 'UNAUTHORIZED']);
    expect(refusal(await world.as('pending').get('/api/feed'))).toEqual([401, 'EMAIL_NOT_VERIFIED']);
  });

  it.each([
    'limit=0',
    'limit=x',
    'limit=1&limit=2',
    'cursor=',
    'cursor=abc',
    'cursor=1',
    `cursor=${Buffer.from('1.0').toString('base64url')}`,
    `cursor=${Buffer.from("1.1' or true").toString('base64url')}`,
    `cursor=${Buffer.from('1.1').toString('base64url')}&cursor=x`,
  ])('%s', async (search) => {
    expect(refusal(await world.as('free').get(`/api/feed?${search}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
