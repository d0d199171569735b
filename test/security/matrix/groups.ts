import {
  groupOf,
  OWNED,
  KEPT_OWNED,
  KEPT_JOINED,
  KEPT_PUBLIC,
  KEPT_PRIVATE,
  KEPT_HIDDEN,
  ADMINS_OR_OWN,
  ADMINS,
  KNOWN_TO_MEMBERS,
} from './group-records';
import {
  ANYONE,
  get,
  type Matrix,
  OF_THE_PLATFORM,
  OWN_ONLY,
  PLATFORM,
  platformOf,
  post,
  type Records,
  type Row,
  remove,
  SIGNED_IN,
  STAFF,
  VISITORS,
  world,
  WRITERS,
} from './kit';

const reading = (what: string, record: Records, members: Row['expected']): Row => ({
  what,
  record,
  call: get((id) => `/api/group/${id}`),
  expected: { ...SIGNED_IN, ...members },
});
const readingBySlug = (what: string, record: Records, expected: Row['expected']): Row => ({
  what,
  record: {
    ...record,
    find: async (caller, whose) => ({
      ...(await record.find(caller, whose)),
      id: world.platformId(platformOf(whose)),
    }),
  },
  call: (client, { id, key }) => client.get(`/api/group-by-slug/${key}/${id}`),
  expected,
});

/** Groups. */
export const groups: Matrix = {
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
      record: KEPT_OWNED,
      call: post(
        () => '/api/group',
        ({ id }) => ({ id, description: 'Edited' }),
      ),
      expected: { ...STAFF, creator: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
  ],
  groups_read: [
    reading('read what is for members', KEPT_JOINED, { members: OF_THE_PLATFORM }),
    reading('read what is private', KEPT_PRIVATE, KNOWN_TO_MEMBERS),
    reading('read what is hidden', KEPT_HIDDEN, KNOWN_TO_MEMBERS),
  ],
  groups_readBySlug: [
    readingBySlug('read what is public', KEPT_PUBLIC, { members: 'ok ok ok NOT_FOUND' }),
    readingBySlug('read what is for members', KEPT_JOINED, { ...VISITORS, members: OF_THE_PLATFORM }),
    readingBySlug('read what is private', KEPT_PRIVATE, { ...VISITORS, ...KNOWN_TO_MEMBERS }),
  ],
  groups_list: [
    {
      what: 'on a platform',
      record: PLATFORM,
      call: get((id) => `/api/groups?PlatformId=${id}`),
      expected: ANYONE,
    },
    {
      what: "on the token's platform",
      call: get(() => '/api/groups'),
      expected: { anonymous: 'VALIDATION_ERROR', pending: 'VALIDATION_ERROR', members: 'ok' },
    },
  ],
  groups_options: [
    {
      what: 'list',
      call: get(() => '/api/group-options'),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
  ],
  groups_reorder: [
    {
      what: 'reorder',
      record: KEPT_OWNED,
      call: post(
        () => '/api/groups/reorder',
        ({ id }) => ({ groupIds: [id] }),
      ),
      expected: { ...STAFF, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
  ],
  groups_remove: [
    {
      what: 'delete as owner',
      record: OWNED,
      call: remove((id) => `/api/group/${id}`),
      expected: { ...WRITERS, ...ADMINS_OR_OWN },
    },
    {
      what: 'delete as moderator',
      record: groupOf('moderator'),
      call: remove((id) => `/api/group/${id}`),
      expected: { ...WRITERS, ...ADMINS },
    },
  ],
};
