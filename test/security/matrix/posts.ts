import {
  ANYONE,
  CONTENT,
  get,
  KEPT_CONTENT,
  KEPT_PRIVATE_CONTENT,
  kept,
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
  VISITORS,
  world,
  WRITERS,
} from './kit';

/** Of groups that nobody has joined. */
const GROUP: Records = kept({
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => ({
    id: whose === 'missing' ? MISSING : (await world.group({}, platformOf(whose))).id,
  }),
});

const NOBODY = 'FORBIDDEN FORBIDDEN NOT_FOUND NOT_FOUND';

/** Posts and the feed. Their records are posts already. */
export const posts: Matrix = {
  posts_save: [
    {
      what: 'post',
      call: post(
        () => '/api/post',
        () => ({ message: `Said ${next()}` }),
      ),
      expected: { ...WRITERS, members: 'ok' },
    },
    {
      what: 'post in a group',
      record: GROUP,
      call: post(
        () => '/api/post',
        ({ id }) => ({ message: `Said ${next()}`, GroupIds: [id] }),
      ),
      expected: {
        ...WRITERS,
        members: 'ROLE_FORBIDDEN',
        creator: 'ok VALIDATION_ERROR VALIDATION_ERROR',
        admin: 'ok VALIDATION_ERROR VALIDATION_ERROR',
      },
    },
    {
      what: 'edit what all members see',
      record: KEPT_CONTENT,
      call: post(
        () => '/api/post',
        ({ id }) => ({ id, message: 'Edited' }),
      ),
      expected: { ...WRITERS, members: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
    {
      what: 'edit what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: post(
        () => '/api/post',
        ({ id }) => ({ id, message: 'Edited' }),
      ),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OWN_ONLY,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  posts_list: [
    {
      what: 'list',
      record: PLATFORM,
      call: get((id) => `/api/posts?PlatformId=${id}`),
      expected: ANYONE,
    },
  ],
  posts_read: [
    {
      what: 'read what is for members, others its teaser',
      record: KEPT_CONTENT,
      call: get((id) => `/api/post/${id}`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'read what is private',
      record: KEPT_PRIVATE_CONTENT,
      call: get((id) => `/api/post/${id}`),
      expected: {
        ...VISITORS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  posts_remove: [
    {
      what: 'delete what all members see',
      record: CONTENT,
      call: remove((id) => `/api/post/${id}`),
      expected: { ...WRITERS, members: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
    {
      what: 'delete what is private',
      record: PRIVATE_CONTENT,
      call: remove((id) => `/api/post/${id}`),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OWN_ONLY,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  posts_pin: [
    {
      what: 'pin',
      record: KEPT_CONTENT,
      call: post(
        (id) => `/api/post/${id}/pin`,
        () => ({ pinned: true }),
      ),
      expected: { ...WRITERS, members: NOBODY, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
  ],
  posts_lock: [
    {
      what: 'lock what all members see',
      record: CONTENT,
      call: post(
        (id) => `/api/post/${id}/lock`,
        () => ({ locked: true }),
      ),
      expected: { ...WRITERS, members: NOBODY, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
    {
      what: 'lock what is private',
      record: PRIVATE_CONTENT,
      call: post(
        (id) => `/api/post/${id}/lock`,
        () => ({ locked: true }),
      ),
      expected: {
        ...WRITERS,
        members: 'FORBIDDEN NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OF_THE_PLATFORM,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  feed_read: [{ what: 'read', call: get(() => '/api/feed'), expected: { ...SIGNED_IN, members: 'ok' } }],
};
