import {
  ANYONE,
  authorOf,
  CONTENT,
  execute,
  get,
  kept,
  KEPT_CONTENT,
  KEPT_PRIVATE_CONTENT,
  type Matrix,
  MISSING,
  next,
  OF_THE_PLATFORM,
  OWN_ONLY,
  PLATFORM,
  platformOf,
  post,
  PRIVATE_CONTENT,
  type Records,
  remove,
  SIGNED_IN,
  STAFF,
  VISITORS,
  WHOSE,
  world,
  WRITERS,
} from './kit';

/** On routes for anyone, what is private is there for its author and staff. */
const PRIVATE_TO_OTHERS = {
  ...VISITORS,
  members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
  creator: OF_THE_PLATFORM,
  admin: OF_THE_PLATFORM,
};
const OWN_PLATFORM_ONLY = 'ok ROLE_FORBIDDEN ROLE_FORBIDDEN';

const KEYWORD: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => {
    if (whose === 'missing') return { id: MISSING };
    const { body } = await world
      .as('admin', platformOf(whose))
      .post('/api/keyword', { title: `Word ${next()}` });
    return { id: body[0].id as number };
  },
};

const PUBLIC_CONTENT: Records = {
  whose: ['others', 'foreign', 'missing'],
  find: async (_, whose) => ({
    id: whose === 'missing' ? MISSING : (await world.content({}, platformOf(whose))).id,
  }),
};

/** Called by `slug/PlatformId`. */
const bySlug = ({ whose, find }: Records): Records => ({
  whose,
  find: async (caller, which) => {
    const { id } = await find(caller, which);
    const [row] = await execute<{ slug: string; PlatformId: number }[]>(
      `select slug, "PlatformId" from contents where id = $1`,
      id,
    );
    return { id, key: row ? `${row.slug}/${row.PlatformId}` : `no-such-slug/${world.platformId()}` };
  },
});

const embed = (scope: string) =>
  post(
    () => '/api/auth/embed-token',
    ({ id }) => ({ scope, id }),
  );

/** Keywords, content, collections and content in frames. */
export const content: Matrix = {
  keywords_save: [
    {
      what: 'add',
      call: post(
        () => '/api/keyword',
        () => ({ title: `Added ${next()}` }),
      ),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
    {
      what: 'edit',
      record: kept(KEYWORD),
      call: post(
        () => '/api/keyword',
        ({ id }) => ({ id, title: `Edited ${next()}` }),
      ),
      expected: { ...STAFF, creator: 'ok NOT_FOUND NOT_FOUND', admin: 'ok NOT_FOUND NOT_FOUND' },
    },
  ],
  keywords_list: [
    {
      what: 'list',
      record: PLATFORM,
      call: get((id) => `/api/keywords?PlatformId=${id}`),
      expected: ANYONE,
    },
  ],
  keywords_remove: [
    {
      what: 'delete',
      record: KEYWORD,
      call: remove((id) => `/api/keyword/${id}`),
      expected: { ...STAFF, creator: 'ROLE_FORBIDDEN', admin: 'ok NOT_FOUND NOT_FOUND' },
    },
  ],
  contentExplain_explain: [
    {
      what: 'ask for oneself about what members see, others its teaser',
      record: KEPT_CONTENT,
      call: get((id) => `/api/content/${id}/access`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'ask for oneself about what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}/access`),
      expected: {
        ...VISITORS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
    {
      what: 'ask for a user about what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}/access?userId=${world.user('otherFree').id}`),
      expected: { members: 'ROLE_FORBIDDEN', creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
    {
      what: 'ask for a user',
      record: {
        whose: WHOSE,
        find: async (caller, whose) => {
          const { id } = await KEPT_CONTENT.find(caller, 'others');
          return { id: whose === 'missing' ? MISSING : authorOf(caller, whose), key: `${id}` };
        },
      },
      call: (client, { id, key }) => client.get(`/api/content/${key}/access?userId=${id}`),
      expected: {
        anonymous: 'ROLE_FORBIDDEN',
        pending: 'ROLE_FORBIDDEN',
        members: 'ok ROLE_FORBIDDEN ROLE_FORBIDDEN ROLE_FORBIDDEN',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  content_save: [
    {
      what: 'add a post',
      call: post(
        () => '/api/content',
        () => ({ type: 'post', title: 'Added', description: `Added ${next()}` }),
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
        ({ id }) => ({ id, title: `Edited ${next()}` }),
      ),
      expected: {
        ...WRITERS,
        members: OWN_ONLY,
        admin: OF_THE_PLATFORM,
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
        ({ id }) => ({ type: 'post', title: 'Added', description: `Added ${next()}`, UserId: id }),
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
      expected: { ...SIGNED_IN, members: OF_THE_PLATFORM },
    },
    {
      what: 'read what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}`),
      expected: {
        ...SIGNED_IN,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
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
        members: OWN_ONLY,
        admin: OF_THE_PLATFORM,
      },
    },
    {
      what: 'delete what is private',
      record: PRIVATE_CONTENT,
      call: remove((id) => `/api/content/${id}`),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OWN_ONLY,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  contentLists_list: [
    {
      what: 'list',
      record: PLATFORM,
      call: get((id) => `/api/contents?PlatformId=${id}`),
      expected: ANYONE,
    },
    {
      what: 'list what is not published',
      record: PLATFORM,
      call: get((id) => `/api/contents?PlatformId=${id}&filters=published:false`),
      expected: { members: 'ROLE_FORBIDDEN', creator: OWN_PLATFORM_ONLY, admin: OWN_PLATFORM_ONLY },
    },
  ],
  contentLists_readBySlug: [
    {
      what: 'read what is for members, or its teaser',
      record: bySlug(KEPT_CONTENT),
      call: (client, { key }) => client.get(`/api/content-by-slug/${key}`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'read what is private',
      record: bySlug(KEPT_PRIVATE_CONTENT),
      call: (client, { key }) => client.get(`/api/content-by-slug/${key}`),
      expected: PRIVATE_TO_OTHERS,
    },
  ],
  contentLists_readPublic: [
    {
      what: 'read the teaser of what is for members',
      record: KEPT_CONTENT,
      call: get((id) => `/api/content/${id}/public`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'read what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}/public`),
      expected: { members: 'NOT_FOUND' },
    },
  ],
  contentLists_related: [
    {
      what: 'list what is related to something for members',
      record: KEPT_CONTENT,
      call: get((id) => `/api/content/${id}/related`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'list what is related to something private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/content/${id}/related`),
      expected: PRIVATE_TO_OTHERS,
    },
  ],
  contentViews_add: [
    {
      what: 'view what is public',
      record: kept(PUBLIC_CONTENT),
      call: post((id) => `/api/content/${id}/view`),
      expected: { members: 'ok ok NOT_FOUND' },
    },
    {
      what: 'view what is for members',
      record: KEPT_CONTENT,
      call: post((id) => `/api/content/${id}/view`),
      expected: { ...VISITORS, members: OF_THE_PLATFORM },
    },
    {
      what: 'view what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: post((id) => `/api/content/${id}/view`),
      expected: PRIVATE_TO_OTHERS,
    },
  ],
  embeds_issue: [
    {
      what: 'for content that all members see',
      record: KEPT_CONTENT,
      call: embed('content'),
      expected: { ...WRITERS, members: OF_THE_PLATFORM },
    },
    {
      what: 'for content that is private',
      record: KEPT_PRIVATE_CONTENT,
      call: embed('content'),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  embeds_show: [
    {
      what: 'show what is public',
      record: kept(PUBLIC_CONTENT),
      call: get((id) => `/embed/content/${id}`),
      expected: { members: 'ok ok NOT_FOUND' },
    },
    {
      what: 'show what is for members, to others its teaser',
      record: KEPT_CONTENT,
      call: get((id) => `/embed/content/${id}`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'show what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/embed/content/${id}`),
      expected: {
        ...VISITORS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
};
