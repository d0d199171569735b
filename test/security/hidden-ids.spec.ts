import { readFileSync } from 'node:fs';
import { type Person, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

/*
 * Every id that a request can name besides the record in its path: in the query, in filters, in the body. What the
 * caller may not know of is answered as what there is not. The ids are read from openapi.json, so that a new one
 * fails here until it is told of.
 */

const NOTHING = 2_147_483_647;

type Kind =
  'content' | 'post' | 'group' | 'collection' | 'comment' | 'tag' | 'user' | 'keyword' | 'platform' | 'ad';
/** What `person` may not know of: records of the other platform always, and of their own those that are hidden. */
interface Probe {
  kind: Kind;
  person: Person | 'visitor';
  send: (client: Client, id: number) => Promise<Answer>;
}
/** Why nothing is hidden. */
type Open = string;

let test: TestApp;
let world: World;
let own: { item: number; group: number; tag: number };
/** Of the other platform. */
let foreign: Record<Kind, number>;
/** Of their own platform, hidden from members; staff know of all. */
let hidden: Partial<Record<Kind, number[]>>;

const get = (url: string) => (client: Client, id: number) => client.get(url.replace('ID', String(id)));
const post =
  (url: string | (() => string), body: (id: number) => object) =>
  (client: Client, id: number): Promise<Answer> =>
    client.post(typeof url === 'string' ? url : url(), body(id));
const probe = (kind: Kind, person: Probe['person'], send: Probe['send']): Probe => ({ kind, person, send });

const PUBLIC: Open = 'that a platform exists is public, and what visitors see of it';
const NEW_USER = { name: 'New', role: 'free', email: 'new@people.test' };
const ITEM = { title: 'T', type: 'article' };

const PROBES: Record<string, Probe | Open> = {
  'GET /api/users/lookup contentId': probe(
    'content',
    'free',
    get('/api/users/lookup?q=creator&contentId=ID'),
  ),
  'GET /api/users filters.GroupId': probe('group', 'creator', get('/api/users?filters=GroupId:ID')),
  'GET /api/users filters.AccessTagId': probe('tag', 'creator', get('/api/users?filters=AccessTagId:ID')),
  'GET /api/content/{id}/access userId': probe('user', 'creator', (client, id) =>
    client.get(`/api/content/${own.item}/access?userId=${id}`),
  ),
  'GET /api/contents PlatformId': PUBLIC,
  'GET /api/contents filters.GroupId': probe('group', 'free', get('/api/contents?filters=GroupId:ID')),
  'GET /api/contents filters.KeywordId': probe('keyword', 'free', get('/api/contents?filters=KeywordId:ID')),
  'GET /api/contents filters.UserId': probe('user', 'free', get('/api/contents?filters=UserId:ID')),
  'GET /api/content/search PlatformId': PUBLIC,
  'GET /api/keywords PlatformId': PUBLIC,
  'GET /api/groups PlatformId': PUBLIC,
  'GET /api/posts PlatformId': PUBLIC,
  'GET /api/posts filters.GroupId': probe('group', 'free', get('/api/posts?filters=GroupId:ID')),
  'GET /api/posts filters.UserId': probe('user', 'free', get('/api/posts?filters=UserId:ID')),
  'GET /api/ads PlatformId': PUBLIC,
  'GET /api/ads CollectionId': probe('collection', 'free', get('/api/ads?CollectionId=ID')),
  'GET /api/admin/ads filters.UserId': probe('user', 'admin', get('/api/admin/ads?filters=UserId:ID')),
  'GET /api/admin/collections filters.UserId': probe(
    'user',
    'admin',
    get('/api/admin/collections?filters=UserId:ID'),
  ),
  'GET /api/collection/public/{PlatformId} filters.UserId': probe('user', 'visitor', (client, id) =>
    client.get(`/api/collection/public/${world.platformId()}?filters=UserId:${id}`),
  ),
  'GET /api/admin/audit filters.actorId': probe('user', 'admin', get('/api/admin/audit?filters=actorId:ID')),
  'POST /api/platform id': probe(
    'platform',
    'admin',
    post('/api/platform', (id) => ({ id, description: 'X' })),
  ),
  'GET /api/chat contentId': probe('content', 'free', get('/api/chat?contentId=ID')),
  'GET /api/replies commentId': probe('comment', 'free', get('/api/replies?commentId=ID')),
  'POST /api/auth/token-for-email platformId': 'for servers that hold the secret of all platforms',
  'POST /api/user/signin PlatformId': PUBLIC,
  'POST /api/user/signin-otp PlatformId': PUBLIC,
  'POST /api/user/verify-otp PlatformId': PUBLIC,
  'POST /api/user/signup PlatformId': PUBLIC,
  'POST /api/user/forgot-password PlatformId': PUBLIC,
  'POST /api/user id': probe(
    'user',
    'free',
    post('/api/user', (id) => ({ id, name: 'X' })),
  ),
  'POST /api/user PlatformId': probe(
    'platform',
    'admin',
    post('/api/user', (PlatformId) => ({ ...NEW_USER, PlatformId })),
  ),
  'POST /api/user GroupIds': probe(
    'group',
    'admin',
    post('/api/user', (id) => ({ ...NEW_USER, PlatformId: world.platformId(), GroupIds: [id] })),
  ),
  'POST /api/user AccessTagIds': probe(
    'tag',
    'admin',
    post('/api/user', (id) => ({ ...NEW_USER, PlatformId: world.platformId(), AccessTagIds: [id] })),
  ),
  'POST /api/access-tag AuthorId': probe(
    'user',
    'free',
    post('/api/access-tag', (AuthorId) => ({ title: 'T', AuthorId })),
  ),
  'POST /api/user-tag AuthorId': probe(
    'user',
    'free',
    post('/api/user-tag', (AuthorId) => ({ title: 'T', AuthorId })),
  ),
  'POST /api/access-tag/{id}/users userIds': probe(
    'user',
    'admin',
    post(
      () => `/api/access-tag/${own.tag}/users`,
      (id) => ({ userIds: [id] }),
    ),
  ),
  'DELETE /api/access-tag/{id}/users userIds': probe('user', 'admin', (client, id) =>
    client.delete(`/api/access-tag/${own.tag}/users`, { userIds: [id] }),
  ),
  'POST /api/group id': probe(
    'group',
    'creator',
    post('/api/group', (id) => ({ id, name: 'X' })),
  ),
  'POST /api/group AccessTagIds': probe(
    'tag',
    'creator',
    post('/api/group', (id) => ({ name: 'X', AccessTagIds: [id] })),
  ),
  'POST /api/groups/reorder groupIds': probe(
    'group',
    'creator',
    post('/api/groups/reorder', (id) => ({ groupIds: [id] })),
  ),
  'POST /api/group/{id}/members userIds': probe(
    'user',
    'creator',
    post(
      () => `/api/group/${own.group}/members`,
      (id) => ({ userIds: [id] }),
    ),
  ),
  'POST /api/keyword id': probe(
    'keyword',
    'creator',
    post('/api/keyword', (id) => ({ id, title: 'X' })),
  ),
  'POST /api/content id': probe(
    'content',
    'free',
    post('/api/content', (id) => ({ id, type: 'post', description: 'X' })),
  ),
  'POST /api/content GroupIds': probe(
    'group',
    'free',
    post('/api/content', (id) => ({ type: 'post', description: 'X', GroupIds: [id] })),
  ),
  'POST /api/content AccessTagIds': probe(
    'tag',
    'creator',
    post('/api/content', (id) => ({ ...ITEM, AccessTagIds: [id] })),
  ),
  'POST /api/content KeywordIds': probe(
    'keyword',
    'creator',
    post('/api/content', (id) => ({ ...ITEM, KeywordIds: [id] })),
  ),
  'POST /api/content UserId': probe(
    'user',
    'admin',
    post('/api/content', (UserId) => ({ ...ITEM, UserId })),
  ),
  'POST /api/post id': probe(
    'post',
    'free',
    post('/api/post', (id) => ({ id, message: 'X' })),
  ),
  'POST /api/post GroupIds': probe(
    'group',
    'free',
    post('/api/post', (id) => ({ message: 'X', GroupIds: [id] })),
  ),
  'POST /api/collection id': probe(
    'collection',
    'creator',
    post('/api/collection', (id) => ({ id, name: 'X' })),
  ),
  'POST /api/collection PlatformId': probe(
    'platform',
    'admin',
    post('/api/collection', (PlatformId) => ({ name: 'X', PlatformId })),
  ),
  'POST /api/collection UserId': probe(
    'user',
    'admin',
    post('/api/collection', (UserId) => ({ name: 'X', UserId })),
  ),
  'POST /api/collection GroupIds': probe(
    'group',
    'creator',
    post('/api/collection', (id) => ({ name: 'X', GroupIds: [id] })),
  ),
  'POST /api/collection ContentIds': probe(
    'content',
    'creator',
    post('/api/collection', (id) => ({ name: 'X', ContentIds: [id] })),
  ),
  'POST /api/collections/reorder collectionIds': probe(
    'collection',
    'creator',
    post('/api/collections/reorder', (id) => ({ collectionIds: [id] })),
  ),
  'POST /api/ad id': probe(
    'ad',
    'creator',
    post('/api/ad', (id) => ({ id, title: 'X' })),
  ),
  'POST /api/ad CollectionIds': probe(
    'collection',
    'creator',
    post('/api/ad', (id) => ({
      ...{ title: 'X', linkUrl: 'https://example.org/', placement: 'home' },
      CollectionIds: [id],
    })),
  ),
  'POST /api/chat id': probe(
    'comment',
    'free',
    post('/api/chat', (id) => ({ id, message: 'X' })),
  ),
  'POST /api/chat contentId': probe(
    'content',
    'free',
    post('/api/chat', (contentId) => ({ contentId, message: 'X' })),
  ),
  'POST /api/chat parentCommentId': probe(
    'comment',
    'free',
    post('/api/chat', (id) => ({ contentId: own.item, parentCommentId: id, message: 'X' })),
  ),
  'POST /api/auth/embed-token id': probe(
    'content',
    'free',
    post('/api/auth/embed-token', (id) => ({ scope: 'content', id })),
  ),
};

interface Operation {
  parameters?: { name: string; in: string; description?: string; schema?: { description?: string } }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object }> };
};
const isId = (name: string): boolean => /^ids?$|Ids?$/.test(name);

function idsOf({ parameters = [], requestBody }: Operation): string[] {
  const queries = parameters.filter((one) => one.in === 'query');
  const filters = queries.find(({ name }) => name === 'filters');
  const text = `${filters?.description ?? ''} ${filters?.schema?.description ?? ''}`;
  const schema =
    Object.values(requestBody?.content ?? {})[0]
      ?.schema.$ref?.split('/')
      .at(-1) ?? '';
  return [
    ...queries.map(({ name }) => name).filter(isId),
    ...new Set([...text.matchAll(/`(\w+)` \(an id\)/g)].map(([, name]) => `filters.${name}`)),
    ...Object.keys(document.components.schemas[schema]?.properties ?? {}).filter(isId),
  ];
}

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  const sql = (text: string, id: number): Promise<unknown> => test.db.dataSource.query(text, [id]);
  const of = async (platform: 'A' | 'B') => {
    const admin = world.as('admin', platform);
    const group = await world.group({ visibility: 'hidden' }, platform);
    const content = await world.content({ visibility: 'private' }, platform);
    const open = await world.content({ visibility: 'public' }, platform);
    await world.content({ visibility: 'public', GroupIds: [group.id] }, platform);
    const said = await world.post('creator', {}, platform);
    await sql(`update contents set visibility = 'private' where id = $1`, said.id);
    const comments = [
      await world.comment(content.id, {}, 'creator', platform),
      await world.comment(open.id, {}, 'otherFree', platform),
    ];
    await sql(`update comments set "moderationCategory" = 'Spam' where id = $1`, comments[1]?.id ?? 0);
    const collection = await world.collection({ GroupIds: [group.id] }, platform);
    await world.ad({ placement: 'collection', CollectionIds: [collection.id] }, 'creator', platform);
    return {
      open: open.id,
      content: content.id,
      post: said.id as number,
      group: group.id,
      collection: collection.id,
      comments: comments.map(({ id }) => id),
      tag: (await admin.post('/api/access-tag', { title: 'A tag' })).body.id as number,
      keyword: (await admin.post('/api/keyword', { title: 'A keyword' })).body[0].id as number,
      ad: (await world.ad({}, 'creator', platform)).id,
      user: world.user('otherFree', platform).id,
      platform: world.platformId(platform),
    };
  };
  const [ours, theirs] = [await of('A'), await of('B')];
  foreign = { ...theirs, comment: theirs.comments[0] ?? 0 };
  hidden = {
    content: [ours.content],
    post: [ours.post, ours.content],
    group: [ours.group],
    collection: [ours.collection],
    comment: ours.comments,
  };
  const { id: group } = (await world.as('creator').post('/api/group', { name: 'Own' })).body[0];
  own = { item: ours.open, group, tag: ours.tag };
});
afterAll(() => test.stop());

it('every id in a query, a filter or a body has its row', () => {
  const there = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      idsOf(operation).map((name) => `${method.toUpperCase()} ${path} ${name}`),
    ),
  );
  expect(Object.keys(PROBES).toSorted()).toEqual(there.toSorted());
});

const probes = Object.entries(PROBES).filter((row): row is [string, Probe] => typeof row[1] !== 'string');

it.each(probes)('%s tells nothing of what the caller may not know of', async (_, { kind, person, send }) => {
  const client = person === 'visitor' ? world.anonymous() : world.as(person);
  const answered = async (id: number): Promise<string> => {
    const { status, body, headers } = await send(client, id);
    const { requestId: __, ...error } = body.error ?? {};
    const told = JSON.stringify({ status, body: body.error ? error : body, warning: headers['x-warning'] });
    return told.replaceAll(new RegExp(`\\b(id|group) ${id}\\b`, 'g'), '$1 ID');
  };
  const nothing = await answered(NOTHING);
  const secrets = person === 'admin' || person === 'creator' ? [] : (hidden[kind] ?? []);
  for (const id of [foreign[kind], ...secrets]) expect(await answered(id)).toEqual(nothing);
});
