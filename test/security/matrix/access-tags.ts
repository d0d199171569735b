import {
  authorOf,
  execute,
  get,
  kept,
  type Matrix,
  MISSING,
  newUser,
  next,
  OF_THE_PLATFORM,
  OWN_ONLY,
  platformOf,
  post,
  type Records,
  remove,
  type Row,
  SIGNED_IN,
  STAFF,
  WHOSE,
  world,
  WRITERS,
} from './kit';

const TAG: Records = {
  whose: WHOSE,
  find: async (caller, whose) => {
    if (whose === 'missing') return { id: MISSING };
    const { body } = await world
      .as('admin', platformOf(whose))
      .post('/api/access-tag', { title: `Tag ${next()}` });
    const { id } = body as { id: number };
    await execute(`update access_tags set "AuthorId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  },
};
const KEPT_TAG = kept(TAG);

/** With a user of the tag's platform to give it to. */
const TAG_AND_USER = kept({
  whose: WHOSE,
  find: async (caller, whose) => ({
    ...(await TAG.find(caller, whose)),
    userId: (await newUser('free', platformOf(whose))).id,
  }),
});

/** A tag of the admin's platform, and whom to give it. */
const TAG_FOR_USER: Records = {
  whose: ['others', 'foreign', 'missing'],
  find: async (caller, whose) => {
    const { id } = await KEPT_TAG.find(caller, 'others');
    return {
      id: whose === 'missing' ? MISSING : (await newUser('free', platformOf(whose))).id,
      key: `${id}`,
    };
  },
};

const AUTHOR: Records = {
  whose: WHOSE,
  find: async (caller, whose) => ({ id: whose === 'missing' ? MISSING : authorOf(caller, whose) }),
};

const listing = (path: string): Row[] => [
  { what: 'list', call: get(() => path), expected: { ...STAFF, creator: 'ok', admin: 'ok' } },
];
const adding = (path: string): Row[] => [
  {
    what: 'add',
    call: post(
      () => path,
      () => ({ title: `Added ${next()}` }),
    ),
    expected: { ...WRITERS, members: 'ok' },
  },
  {
    what: 'name a user as author',
    record: AUTHOR,
    call: post(
      () => path,
      ({ id }) => ({ title: `Added ${next()}`, AuthorId: id }),
    ),
    expected: {
      ...WRITERS,
      members: 'ok FORBIDDEN FORBIDDEN FORBIDDEN',
      admin: 'ok ok VALIDATION_ERROR VALIDATION_ERROR',
    },
  },
];

/** Access tags, by their old names too. */
export const accessTags: Matrix = {
  accessTags_list: listing('/api/access-tags'),
  accessTags_add: adding('/api/access-tag'),
  userTags_list: listing('/api/user-tags'),
  userTags_add: adding('/api/user-tag'),
  accessTags_read: [
    {
      what: 'read',
      record: KEPT_TAG,
      call: get((id) => `/api/access-tag/${id}`),
      expected: { ...SIGNED_IN, members: OWN_ONLY, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
  ],
  accessTags_remove: [
    {
      what: 'delete',
      record: TAG,
      call: remove((id) => `/api/access-tag/${id}`),
      expected: { ...WRITERS, members: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
  ],
  accessTags_holders: [
    {
      what: 'list',
      record: KEPT_TAG,
      call: get((id) => `/api/access-tag/${id}/users`),
      expected: { ...STAFF, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
  ],
  accessTags_grant: [
    {
      what: 'give a tag',
      record: TAG_AND_USER,
      call: post(
        (id) => `/api/access-tag/${id}/users`,
        ({ userId }) => ({ userIds: [userId] }),
      ),
      expected: { ...STAFF, admin: OF_THE_PLATFORM },
    },
    {
      what: 'to a user',
      record: TAG_FOR_USER,
      call: (client, { id, key }) => client.post(`/api/access-tag/${key}/users`, { userIds: [id] }),
      expected: { ...STAFF, admin: 'ok VALIDATION_ERROR VALIDATION_ERROR' },
    },
  ],
  accessTags_revoke: [
    {
      what: 'take a tag',
      record: TAG_AND_USER,
      call: remove(
        (id) => `/api/access-tag/${id}/users`,
        ({ userId }) => ({ userIds: [userId] }),
      ),
      expected: { ...STAFF, admin: OF_THE_PLATFORM },
    },
  ],
};
