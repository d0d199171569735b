import { readFileSync } from 'node:fs';
import { PASSWORD, type Person, type PlatformName, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';
import { TokensService } from '../../src/sessions/tokens.service';
import { UsersService } from '../../src/users/users.service';
import type { Role } from '../../src/sessions/roles';

/** Who calls. Members of platform A; platform B has the same people. */
const CALLERS = ['anonymous', 'pending', 'banned', 'free', 'basic', 'premium', 'creator', 'admin'] as const;
type Caller = (typeof CALLERS)[number];

/** Whose record is asked for; the platforms of the callers are their own, and have no other kind on theirs. */
const WHOSE = ['own', 'others', 'foreign', 'missing'] as const;
type Whose = (typeof WHOSE)[number];

const MISSING = 2_000_000_000;
const EMOJI = '%F0%9F%91%8D';

interface Target {
  id: number;
  /** What a user is called by when not by id. */
  email?: string;
  /** The caller to use instead of the usual one: for what ends the caller's session. */
  as?: Client;
}
type Find = (caller: Caller, whose: Whose) => Promise<Target>;
type Call = (client: Client, target: Target) => Promise<Answer>;

interface Row {
  what: string;
  /** Absent: the route names no record. */
  record?: { whose: readonly Whose[]; find: Find };
  call: Call;
  /** For each caller the code of the answer, or `ok`, for each `whose` in turn; one word stands for all. */
  expected: Partial<Record<Caller, string>> & { members: string };
}

let test: TestApp;
let world: World;
let made = 0;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  // A second admin, so that the first may go.
  await newUser('admin', 'A');
});
afterAll(() => test.stop());

const newUser = (role: Role, platform: PlatformName, values: object = {}) =>
  test.get(UsersService).add({
    PlatformId: world.platformId(platform),
    email: `new${++made}@people.test`,
    name: 'New',
    role,
    ...values,
  });

const execute = (text: string, ...values: unknown[]): Promise<unknown> =>
  test.db.dataSource.query(text, values);

/** Who else there is: on the caller's platform, or on the other one. */
const authorOf = (caller: Caller, whose: Whose): number => {
  const person: Person = whose === 'own' && caller !== 'anonymous' ? caller : 'otherCreator';
  return world.user(person, whose === 'foreign' ? 'B' : 'A').id;
};
const platformOf = (whose: Whose): PlatformName => (whose === 'foreign' ? 'B' : 'A');

const PLATFORM = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_: Caller, whose: Whose) => ({
    id: whose === 'missing' ? MISSING : world.platformId(platformOf(whose)),
  }),
} as const;

/** A user of their own in each cell, with a session of their own: some routes end both. */
const USER = {
  whose: WHOSE,
  find: async (caller: Caller, whose: Whose): Promise<Target> => {
    const self = caller === 'anonymous' ? null : await newUser(roleOf(caller), 'A', statusOf(caller));
    if (self && caller === 'banned')
      await execute(`update users set "bannedAt" = now() where id = $1`, self.id);
    const token = self && (await test.get(TokensService).issue(self, 'password'));
    const as = token === null ? world.anonymous() : test.client({ authorization: `Bearer ${token}` });
    if (whose === 'missing') return { id: MISSING, email: 'nobody@people.test', as };
    const user = whose === 'own' && self ? self : await newUser('free', platformOf(whose));
    return { id: user.id, email: user.email ?? '', as };
  },
} as const;

const roleOf = (caller: Caller): Role =>
  caller === 'anonymous' || caller === 'pending' || caller === 'banned' ? 'free' : caller;
const statusOf = (caller: Caller): object => (caller === 'pending' ? { status: 'pending' } : {});

/** For every member of its platform, but for nobody else. */
const contentFor =
  (visibility: 'members' | 'private') =>
  async (caller: Caller, whose: Whose): Promise<Target> => {
    if (whose === 'missing') return { id: MISSING };
    const { id } = await world.content({ visibility, type: 'post' }, platformOf(whose), 'admin');
    await execute(`update contents set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  };
const CONTENT = { whose: WHOSE, find: contentFor('members') } as const;
const PRIVATE_CONTENT = { whose: WHOSE, find: contentFor('private') } as const;

/** The same records in every cell, for routes that leave them as they are to others. */
function kept(record: NonNullable<Row['record']>): NonNullable<Row['record']> {
  const known = new Map<string, Promise<Target>>();
  const find: Find = (caller, whose) => {
    const key = whose === 'own' ? caller : whose;
    const target = known.get(key) ?? record.find(caller, whose);
    known.set(key, target);
    return target;
  };
  return { ...record, find };
}
const KEPT_CONTENT = kept(CONTENT);
const KEPT_PRIVATE_CONTENT = kept(PRIVATE_CONTENT);

const COMMENT = {
  whose: WHOSE,
  find: async (caller: Caller, whose: Whose): Promise<Target> => {
    if (whose === 'missing') return { id: MISSING };
    const content = await world.content({ visibility: 'members' }, platformOf(whose));
    const { id } = await world.comment(content.id, {}, 'free', platformOf(whose));
    await execute(`update comments set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  },
} as const;

const KEPT_COMMENT = kept(COMMENT);

const owned = (table: 'groups' | 'collections', path: string) => ({
  whose: WHOSE,
  find: async (caller: Caller, whose: Whose): Promise<Target> => {
    if (whose === 'missing') return { id: MISSING };
    const { body } = await world.as('admin', platformOf(whose)).post(path, { name: 'Owned' });
    const { id } = body[0] as { id: number };
    await execute(`update ${table} set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  },
});

const KEYWORD = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_: Caller, whose: Whose): Promise<Target> => {
    if (whose === 'missing') return { id: MISSING };
    const { body } = await world
      .as('admin', platformOf(whose))
      .post('/api/keyword', { title: `Word ${++made}` });
    return { id: body[0].id as number };
  },
} as const;

const get =
  (path: (id: number) => string): Call =>
  (client, { id }) =>
    client.get(path(id));
const remove =
  (path: (id: number) => string): Call =>
  (client, { id }) =>
    client.delete(path(id));
const post =
  (path: (id: number) => string, body: (target: Target) => object = () => ({})): Call =>
  (client, target) =>
    client.post(path(target.id), body(target));

/** Without a credential, or before the address is verified, no route for members answers. */
const SIGNED_IN = { anonymous: 'UNAUTHORIZED', pending: 'EMAIL_NOT_VERIFIED' };
/** And banned members write nothing. */
const WRITERS = { ...SIGNED_IN, banned: 'BANNED' };
/** Routes for staff; the role is judged before the ban. */
const STAFF = { ...SIGNED_IN, members: 'ROLE_FORBIDDEN' };
const ANYONE = { members: 'ok' };

const reactions = (kind: 'content' | 'chat', record: Row['record']): Record<string, Row[]> => {
  const path = (id: number): string => `/api/${kind}/${id}/reactions`;
  const readers = {
    anonymous: 'NOT_FOUND',
    pending: 'NOT_FOUND',
    members: 'ok ok NOT_FOUND NOT_FOUND',
  };
  const writers = { ...WRITERS, members: 'ok ok NOT_FOUND NOT_FOUND' };
  const thumb = (): object => ({ emoji: '👍' });
  const name = kind === 'content' ? 'contentReactions' : 'commentReactions';
  return {
    [`${name}_read`]: [{ what: 'read', record, call: get(path), expected: readers }],
    [`${name}_add`]: [{ what: 'react', record, call: post(path, thumb), expected: writers }],
    [`${name}_toggle`]: [
      { what: 'toggle', record, call: post((id) => `${path(id)}/toggle`, thumb), expected: writers },
    ],
    [`${name}_remove`]: [
      { what: 'take back', record, call: remove((id) => `${path(id)}/${EMOJI}`), expected: writers },
    ],
  };
};

/** Every operation of openapi.json has its rows here. */
const MATRIX: Record<string, Row[]> = {
  auth_mint: [
    {
      what: 'without the service secret',
      record: USER,
      call: (client, { email }) =>
        client.post('/api/auth/token-for-email', { email, platformId: world.platformId() }),
      expected: { members: 'UNAUTHORIZED' },
    },
    {
      what: 'with the service secret, on one platform',
      record: USER,
      call: (client, { email }) =>
        client
          .with({ 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' })
          .post('/api/auth/token-for-email', { email, platformId: world.platformId() }),
      expected: { anonymous: 'ok ok NOT_FOUND NOT_FOUND', members: 'ok ok NOT_FOUND NOT_FOUND' },
    },
  ],
  auth_signIn: [
    {
      what: 'with the right password',
      record: {
        whose: ['own', 'foreign', 'missing'],
        find: async (_, whose) => {
          const user = await newUser('free', platformOf(whose), { password: PASSWORD });
          return { id: user.id, email: whose === 'missing' ? 'nobody@people.test' : (user.email ?? '') };
        },
      },
      call: (client, { email }) =>
        client.post('/api/user/signin', { email, password: PASSWORD, PlatformId: world.platformId() }),
      expected: { members: 'ok UNAUTHORIZED UNAUTHORIZED' },
    },
  ],
  auth_signOut: [
    {
      what: 'ends the own session',
      record: { whose: ['own'], find: USER.find },
      call: (client) => client.post('/api/user/signout'),
      expected: { anonymous: 'UNAUTHORIZED', members: 'ok' },
    },
  ],
  platforms_read: [
    {
      what: 'read',
      record: PLATFORM,
      call: get((id) => `/api/platform/${id}`),
      expected: { members: 'ok ok NOT_FOUND' },
    },
  ],
  users_me: [{ what: 'read', call: get(() => '/api/user/me'), expected: { ...SIGNED_IN, members: 'ok' } }],
  users_save: [
    {
      what: 'add to a platform',
      record: PLATFORM,
      call: post(
        () => '/api/user',
        ({ id }) => ({ email: `added${++made}@people.test`, name: 'Added', role: 'free', PlatformId: id }),
      ),
      expected: { ...WRITERS, members: 'FORBIDDEN', admin: 'ok FORBIDDEN FORBIDDEN' },
    },
    {
      what: 'edit',
      record: USER,
      call: post(
        () => '/api/user',
        ({ id }) => ({ id, name: 'Edited' }),
      ),
      expected: {
        ...WRITERS,
        members: 'ok FORBIDDEN FORBIDDEN FORBIDDEN',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
    {
      what: 'make an admin',
      record: USER,
      call: post(
        () => '/api/user',
        ({ id }) => ({ id, role: 'admin' }),
      ),
      expected: {
        ...WRITERS,
        members: 'ROLE_FORBIDDEN FORBIDDEN FORBIDDEN FORBIDDEN',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
  ],
  users_remove: [
    {
      what: 'delete',
      record: USER,
      call: remove((id) => `/api/user/${id}`),
      expected: {
        ...SIGNED_IN,
        members: 'ok FORBIDDEN FORBIDDEN FORBIDDEN',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
  ],
  groups_save: [
    {
      what: 'add',
      call: post(
        () => '/api/group',
        () => ({ name: 'Added' }),
      ),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
    {
      what: 'edit',
      record: kept(owned('groups', '/api/group')),
      call: post(
        () => '/api/group',
        ({ id }) => ({ id, name: 'Edited' }),
      ),
      expected: { ...STAFF, creator: 'ok FORBIDDEN NOT_FOUND NOT_FOUND', admin: 'ok ok NOT_FOUND NOT_FOUND' },
    },
  ],
  keywords_save: [
    {
      what: 'add',
      call: post(
        () => '/api/keyword',
        () => ({ title: `Added ${++made}` }),
      ),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
    {
      what: 'edit',
      record: kept(KEYWORD),
      call: post(
        () => '/api/keyword',
        ({ id }) => ({ id, title: `Edited ${++made}` }),
      ),
      expected: { ...STAFF, creator: 'ok NOT_FOUND NOT_FOUND', admin: 'ok NOT_FOUND NOT_FOUND' },
    },
  ],
  content_save: [
    {
      what: 'add a post',
      call: post(
        () => '/api/content',
        () => ({ type: 'post', title: 'Added' }),
      ),
      expected: { ...WRITERS, members: 'ok' },
    },
    {
      what: 'add an article',
      call: post(
        () => '/api/content',
        () => ({ type: 'article', title: 'Added' }),
      ),
      expected: { ...WRITERS, members: 'FORBIDDEN', creator: 'ok', admin: 'ok' },
    },
    {
      what: 'edit',
      record: KEPT_CONTENT,
      call: post(
        () => '/api/content',
        ({ id }) => ({ id, title: 'Edited' }),
      ),
      expected: {
        ...WRITERS,
        members: 'ok FORBIDDEN NOT_FOUND NOT_FOUND',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
    {
      what: 'name a user as author',
      record: {
        whose: WHOSE,
        find: async (caller, whose) => ({ id: whose === 'missing' ? MISSING : authorOf(caller, whose) }),
      },
      call: post(
        () => '/api/content',
        ({ id }) => ({ type: 'post', title: 'Added', UserId: id }),
      ),
      expected: {
        ...WRITERS,
        members: 'ok FORBIDDEN FORBIDDEN FORBIDDEN',
        admin: 'ok ok VALIDATION_ERROR VALIDATION_ERROR',
      },
    },
  ],
  content_search: [
    { what: 'everywhere', call: get(() => '/api/content/search?q=article'), expected: ANYONE },
    {
      what: 'on a platform',
      record: PLATFORM,
      call: get((id) => `/api/content/search?q=article&PlatformId=${id}`),
      expected: ANYONE,
    },
  ],
  content_searchPlatform: [
    {
      what: 'search',
      record: PLATFORM,
      call: get((id) => `/api/content/search/${id}?q=article`),
      expected: ANYONE,
    },
  ],
  content_readOrSearch: [
    { what: 'search', record: PLATFORM, call: get((id) => `/api/content/${id}?q=article`), expected: ANYONE },
    {
      what: 'read what is for members',
      record: KEPT_CONTENT,
      call: get((id) => `/api/content/${id}`),
      expected: { ...SIGNED_IN, members: 'ok ok NOT_FOUND NOT_FOUND' },
    },
    {
      what: 'read what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}`),
      expected: {
        ...SIGNED_IN,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: 'ok ok NOT_FOUND NOT_FOUND',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
  ],
  content_remove: [
    {
      what: 'delete what all members see',
      record: CONTENT,
      call: remove((id) => `/api/content/${id}`),
      expected: {
        ...WRITERS,
        members: 'ok FORBIDDEN NOT_FOUND NOT_FOUND',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
    {
      what: 'delete what is private',
      record: PRIVATE_CONTENT,
      call: remove((id) => `/api/content/${id}`),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: 'ok FORBIDDEN NOT_FOUND NOT_FOUND',
        admin: 'ok ok NOT_FOUND NOT_FOUND',
      },
    },
  ],
  collections_save: [
    {
      what: 'add to a platform',
      record: PLATFORM,
      call: post(
        () => '/api/collection',
        ({ id }) => ({ name: 'Added', PlatformId: id }),
      ),
      expected: { ...STAFF, creator: 'ok FORBIDDEN FORBIDDEN', admin: 'ok FORBIDDEN FORBIDDEN' },
    },
    {
      what: 'edit',
      record: kept(owned('collections', '/api/collection')),
      call: post(
        () => '/api/collection',
        ({ id }) => ({ id, name: 'Edited' }),
      ),
      expected: { ...STAFF, creator: 'ok FORBIDDEN FORBIDDEN FORBIDDEN', admin: 'ok ok FORBIDDEN FORBIDDEN' },
    },
    {
      what: 'put content in',
      record: KEPT_CONTENT,
      call: post(
        () => '/api/collection',
        ({ id }) => ({ name: 'Added', ContentIds: [id] }),
      ),
      expected: {
        ...STAFF,
        creator: 'ok ok VALIDATION_ERROR VALIDATION_ERROR',
        admin: 'ok ok VALIDATION_ERROR VALIDATION_ERROR',
      },
    },
  ],
  collections_onHomepage: [
    { what: 'list', record: PLATFORM, call: get((id) => `/api/collection/${id}`), expected: ANYONE },
  ],
  chat_list: [
    {
      what: 'list',
      record: KEPT_CONTENT,
      call: get((id) => `/api/chat?contentId=${id}`),
      expected: { anonymous: 'NOT_FOUND', pending: 'NOT_FOUND', members: 'ok ok NOT_FOUND NOT_FOUND' },
    },
  ],
  chat_replies: [
    {
      what: 'list',
      record: KEPT_COMMENT,
      call: get((id) => `/api/replies?commentId=${id}`),
      expected: { anonymous: 'NOT_FOUND', pending: 'NOT_FOUND', members: 'ok ok NOT_FOUND NOT_FOUND' },
    },
  ],
  chat_save: [
    {
      what: 'comment on content',
      record: KEPT_CONTENT,
      call: post(
        () => '/api/chat',
        ({ id }) => ({ contentId: id, message: 'Said' }),
      ),
      expected: { ...WRITERS, members: 'ok ok NOT_FOUND NOT_FOUND' },
    },
    {
      what: 'edit',
      record: KEPT_COMMENT,
      call: post(
        () => '/api/chat',
        ({ id }) => ({ id, message: 'Edited' }),
      ),
      expected: { ...WRITERS, members: 'ok FORBIDDEN NOT_FOUND NOT_FOUND' },
    },
  ],
  ...reactions('content', KEPT_CONTENT),
  ...reactions('chat', KEPT_COMMENT),
  health_live: [{ what: 'ask', call: get(() => '/health/live'), expected: ANYONE }],
  health_ready: [{ what: 'ask', call: get(() => '/health/ready'), expected: ANYONE }],
  health_version: [{ what: 'ask', call: get(() => '/api/version'), expected: ANYONE }],
};

const outcome = ({ status, body }: Answer): string => (status === 200 ? 'ok' : `${body.error.code}`);

/** What a refusal says, apart from the id of the request and of the record that was asked for. */
const said = ({ status, body }: Answer, { id }: Target): object => {
  const { requestId: _, details, ...error } = body.error;
  return { ...error, answered: status, details: details && JSON.stringify(details).replaceAll(`${id}`, '#') };
};

it('has a row for every operation and for nothing else', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(Object.keys(MATRIX).toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});

describe.each(Object.entries(MATRIX))('%s', (_, rows) => {
  describe.each(rows)('$what', ({ record, call, expected }) => {
    it.each(CALLERS)('by %s', async (caller) => {
      const client = caller === 'anonymous' ? world.anonymous() : world.as(caller);
      const whoseAll = record?.whose ?? ['own'];
      const outcomes: string[] = [];
      const refusals: Partial<Record<Whose, object>> = {};
      for (const whose of whoseAll) {
        const target = (await record?.find(caller, whose)) ?? { id: 0 };
        const answer = await call(target.as ?? client, target);
        outcomes.push(outcome(answer));
        if (answer.status >= 400) refusals[whose] = said(answer, target);
      }
      const words = (expected[caller] ?? expected.members).split(' ');
      expect(outcomes).toEqual(whoseAll.map((__, at) => words[words.length === 1 ? 0 : at]));
      // A record of another platform must not be told from one that does not exist.
      expect(refusals.foreign ?? refusals.missing).toEqual(refusals.missing);
    });
  });
});
