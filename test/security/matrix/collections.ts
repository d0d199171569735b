import {
  authorOf,
  ANYONE,
  execute,
  get,
  KEPT_CONTENT,
  kept,
  type Matrix,
  MISSING,
  next,
  OF_THE_PLATFORM,
  OWN_ONLY,
  PLATFORM,
  platformOf,
  post,
  type Records,
  remove,
  SIGNED_IN,
  STAFF,
  WHOSE,
  world,
  WRITERS,
} from './kit';

/** Collections of the caller's or of others, with the slug as their key. */
const collection = (values: object = {}): Records => ({
  whose: WHOSE,
  find: async (caller, whose) => {
    if (whose === 'missing') return { id: MISSING, key: 'no-such-collection' };
    const { body } = await world
      .as('admin', platformOf(whose))
      .post('/api/collection', { name: `Owned ${next()}`, ...values });
    const { id, slug } = body[0] as { id: number; slug: string };
    await execute(`update collections set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id, key: slug };
  },
});
const COLLECTION = collection();
const KEPT_COLLECTION = kept(COLLECTION);
const KEPT_FUTURE = kept(collection({ publishedDate: '2999-01-01' }));

const bySlug = (record: Records): Records => ({
  ...record,
  find: async (caller, whose) => ({
    ...(await record.find(caller, whose)),
    id: world.platformId(platformOf(whose)),
  }),
});

/** Collections. */
export const collections: Matrix = {
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
      record: KEPT_COLLECTION,
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
  collections_listPublic: [
    { what: 'list', record: PLATFORM, call: get((id) => `/api/collection/public/${id}`), expected: ANYONE },
  ],
  collections_show: [
    {
      what: 'show what is published',
      record: KEPT_COLLECTION,
      call: get((id) => `/api/collection/${id}/public`),
      expected: { members: 'ok ok ok NOT_FOUND' },
    },
    {
      what: 'show what is not published',
      record: KEPT_FUTURE,
      call: get((id) => `/api/collection/${id}/public`),
      expected: { members: 'NOT_FOUND' },
    },
  ],
  collections_read: [
    {
      what: 'read what is published',
      record: KEPT_COLLECTION,
      call: get((id) => `/api/collection-by-id/${id}`),
      expected: { ...SIGNED_IN, members: OF_THE_PLATFORM },
    },
    {
      what: 'read what is not published',
      record: KEPT_FUTURE,
      call: get((id) => `/api/collection-by-id/${id}`),
      expected: { ...SIGNED_IN, members: 'NOT_FOUND', creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM },
    },
  ],
  collections_readBySlug: [
    {
      what: 'read what is published',
      record: bySlug(KEPT_COLLECTION),
      call: (client, { id, key }) => client.get(`/api/collection-by-slug/${key}/${id}`),
      expected: { members: 'ok ok ok 404' },
    },
    {
      what: 'read what is not published',
      record: bySlug(KEPT_FUTURE),
      call: (client, { id, key }) => client.get(`/api/collection-by-slug/${key}/${id}`),
      expected: { members: '404' },
    },
  ],
  collections_options: [
    {
      what: 'list',
      call: get(() => '/api/collection-options'),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
  ],
  collections_listForAdmin: [
    {
      what: 'list',
      call: get(() => '/api/admin/collections'),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
  ],
  collections_reorder: [
    {
      what: 'reorder',
      record: KEPT_COLLECTION,
      call: post(
        () => '/api/collections/reorder',
        ({ id }) => ({ collectionIds: [id] }),
      ),
      expected: { ...STAFF, creator: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
  ],
  collections_remove: [
    {
      what: 'delete what is published',
      record: COLLECTION,
      call: remove((id) => `/api/collection-by-id/${id}`),
      expected: { ...WRITERS, members: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
    {
      what: 'delete what is not published',
      record: collection({ publishedDate: '2999-01-01' }),
      call: remove((id) => `/api/collection-by-id/${id}`),
      expected: {
        ...WRITERS,
        members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: OWN_ONLY,
        admin: OF_THE_PLATFORM,
      },
    },
  ],
};
