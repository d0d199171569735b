import {
  ANYONE,
  execute,
  get,
  type Matrix,
  MISSING,
  PLATFORM,
  platformOf,
  post,
  type Records,
  STAFF,
  world,
} from './kit';

/** By a slug, and by a homepage of that name. */
const NAMED_PLATFORM: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => {
    if (whose === 'missing') return { id: MISSING, key: 'nowhere' };
    const id = world.platformId(platformOf(whose));
    const key = `platform-${platformOf(whose).toLowerCase()}`;
    await execute(
      `update platforms set "homepageUrl" = $2, "homepageKey" = $2 where id = $1`,
      id,
      `${key}.test`,
    );
    return { id, key };
  },
};

/** Platforms, their log, and what is no platform's. */
export const platforms: Matrix = {
  platforms_read: [
    {
      what: 'read',
      record: PLATFORM,
      call: get((id) => `/api/platform/${id}`),
      expected: { members: 'ok ok NOT_FOUND' },
    },
  ],
  health_live: [{ what: 'ask', call: get(() => '/health/live'), expected: ANYONE }],
  health_ready: [{ what: 'ask', call: get(() => '/health/ready'), expected: ANYONE }],
  health_version: [{ what: 'ask', call: get(() => '/api/version'), expected: ANYONE }],
  platforms_readBySlug: [
    {
      what: 'read',
      record: NAMED_PLATFORM,
      call: (client, { key }) => client.get(`/api/platform-by-slug/${key}`),
      expected: { members: 'ok ok NOT_FOUND' },
    },
  ],
  platforms_readByHomepage: [
    {
      what: 'read',
      record: NAMED_PLATFORM,
      call: (client, { key }) => client.get(`/api/platform/homepage/${key}.test`),
      // This refusal has a text and no code.
      expected: { members: 'ok ok 400' },
    },
  ],
  platforms_save: [
    {
      what: "change one's own",
      call: post(
        () => '/api/platform',
        () => ({ description: 'Changed' }),
      ),
      expected: { ...STAFF, admin: 'ok' },
    },
    {
      what: 'change one by its id',
      record: PLATFORM,
      call: post(
        () => '/api/platform',
        ({ id }) => ({ id, description: 'Changed' }),
      ),
      expected: { ...STAFF, admin: 'ok FORBIDDEN FORBIDDEN' },
    },
  ],
  platforms_readSettings: [
    {
      what: 'read',
      record: PLATFORM,
      call: get((id) => `/api/platform/${id}/settings`),
      expected: { ...STAFF, admin: 'ok FORBIDDEN FORBIDDEN' },
    },
  ],
  platforms_saveSettings: [
    {
      what: 'change',
      record: PLATFORM,
      call: post(
        (id) => `/api/platform/${id}/settings`,
        () => ({ commentEditMinutes: 5 }),
      ),
      expected: { ...STAFF, admin: 'ok FORBIDDEN FORBIDDEN' },
    },
  ],
  audit_list: [{ what: 'list', call: get(() => '/api/admin/audit'), expected: { ...STAFF, admin: 'ok' } }],
  pages_resetPassword: [{ what: 'show', call: get(() => '/reset-password'), expected: ANYONE }],
};
