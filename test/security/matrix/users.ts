import {
  execute,
  get,
  type Matrix,
  newSelf,
  OF_THE_PLATFORM,
  next,
  PLATFORM,
  platformOf,
  post,
  type Records,
  remove,
  SIGNED_IN,
  STAFF,
  USER,
  world,
  WRITERS,
} from './kit';

/** Someone who is banned; whoever lifts a ban is not. */
const BANNED: Records = {
  whose: ['others', 'foreign', 'missing'],
  find: async (caller, whose) => {
    const found = await USER.find(caller, whose);
    await execute(`update users set "bannedAt" = now() where id = $1`, found.id);
    return found;
  },
};

/** A code that nobody else's platform knows; a wrong one changes nothing, and the answer says so. */
const CODE: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (caller, whose) => {
    const key = `code-${next()}`;
    if (whose !== 'missing') {
      const id = world.platformId(platformOf(whose));
      await execute(`update platforms set "premiumToken" = $2 where id = $1`, id, key);
    }
    return { id: 0, key, as: (await newSelf(caller))?.as ?? world.anonymous() };
  },
};

/** Users, their profiles and their standing. */
export const users: Matrix = {
  users_me: [{ what: 'read', call: get(() => '/api/user/me'), expected: { ...SIGNED_IN, members: 'ok' } }],
  users_save: [
    {
      what: 'add to a platform',
      record: PLATFORM,
      call: post(
        () => '/api/user',
        ({ id }) => ({ email: `added${next()}@people.test`, name: 'Added', role: 'free', PlatformId: id }),
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
        admin: OF_THE_PLATFORM,
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
        admin: OF_THE_PLATFORM,
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
        admin: OF_THE_PLATFORM,
      },
    },
  ],
  directory_read: [
    {
      what: 'read',
      record: USER,
      call: get((id) => `/api/user/${id}`),
      expected: { ...SIGNED_IN, members: OF_THE_PLATFORM },
    },
  ],
  directory_list: [
    {
      what: 'list',
      call: get(() => '/api/users'),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
  ],
  directory_lookup: [
    {
      what: 'by name',
      call: get(() => '/api/users/lookup?q=free'),
      expected: { ...SIGNED_IN, members: 'ok' },
    },
  ],
  directory_admins: [
    {
      what: 'list',
      record: PLATFORM,
      call: get((id) => `/api/platform/${id}/admins`),
      expected: { ...SIGNED_IN, members: 'ok FORBIDDEN FORBIDDEN' },
    },
  ],
  standing_ban: [
    {
      what: 'ban',
      record: USER,
      call: post(
        (id) => `/api/user/${id}/ban`,
        () => ({ reason: 'Spam', until: null }),
      ),
      expected: { ...STAFF, admin: OF_THE_PLATFORM },
    },
  ],
  standing_unban: [
    {
      what: 'lift a ban',
      record: BANNED,
      call: remove((id) => `/api/user/${id}/ban`),
      expected: { ...STAFF, admin: 'ok NOT_FOUND NOT_FOUND' },
    },
  ],
  standing_redeem: [
    {
      what: 'with the code of a platform',
      record: CODE,
      call: (client, { key }) => client.post('/api/user/redeem-token', { code: key }),
      expected: { ...WRITERS, members: 'ok' },
    },
  ],
};
