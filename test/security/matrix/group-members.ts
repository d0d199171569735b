import {
  groupOf,
  withRequest,
  OWNED,
  KEPT_OWNED,
  KEPT_MODERATED,
  KEPT_JOINED,
  KEPT_PUBLIC,
  KEPT_PRIVATE,
  STAFF_OR_OWN,
  ADMINS_OR_OWN,
  ADMINS,
  KNOWN_TO_MEMBERS,
} from './group-records';
import {
  get,
  type Matrix,
  MISSING,
  newUser,
  OF_THE_PLATFORM,
  platformOf,
  post,
  type Records,
  SIGNED_IN,
  WRITERS,
} from './kit';

const members = (id: number): string => `/api/group/${id}/members`;

const toJoin = (values: object): Records => ({
  ...groupOf('owner', values),
  whose: ['others', 'foreign', 'missing'],
});

/** Who is in a group, and joining it. */
export const groupMembers: Matrix = {
  groupMembers_list: [
    {
      what: 'of a group for members',
      record: KEPT_JOINED,
      call: get(members),
      expected: { ...SIGNED_IN, ...STAFF_OR_OWN },
    },
    {
      what: 'of a public group',
      record: KEPT_PUBLIC,
      call: get(members),
      expected: { ...SIGNED_IN, members: OF_THE_PLATFORM },
    },
    {
      what: 'of a private group',
      record: KEPT_PRIVATE,
      call: get(members),
      expected: { ...SIGNED_IN, ...KNOWN_TO_MEMBERS },
    },
  ],
  groupMembers_add: [
    {
      what: 'as owner',
      record: KEPT_OWNED,
      call: post(members, ({ userId }) => ({ userIds: [userId] })),
      expected: { ...WRITERS, ...ADMINS_OR_OWN },
    },
    {
      what: 'as moderator',
      record: KEPT_MODERATED,
      call: post(members, ({ userId }) => ({ userIds: [userId] })),
      expected: { ...WRITERS, ...ADMINS_OR_OWN },
    },
    {
      what: 'as member',
      record: KEPT_JOINED,
      call: post(members, ({ userId }) => ({ userIds: [userId] })),
      expected: { ...WRITERS, ...ADMINS },
    },
    {
      what: 'users',
      record: {
        whose: ['others', 'foreign', 'missing'],
        find: async (caller, whose) => {
          const group = await KEPT_OWNED.find(caller, 'own');
          const id = whose === 'missing' ? MISSING : (await newUser('free', platformOf(whose))).id;
          return { id, key: `${group.id}` };
        },
      },
      call: (client, { id, key }) => client.post(`/api/group/${key}/members`, { userIds: [id] }),
      expected: { ...WRITERS, members: 'ok VALIDATION_ERROR VALIDATION_ERROR' },
    },
  ],
  groupMembers_remove: [
    {
      what: 'as owner',
      record: OWNED,
      call: (client, { id, userId }) => client.delete(`${members(id)}/${userId}`),
      expected: { ...WRITERS, ...ADMINS_OR_OWN },
    },
    {
      what: 'as member',
      record: groupOf('member'),
      call: (client, { id, userId }) => client.delete(`${members(id)}/${userId}`),
      expected: { ...WRITERS, ...ADMINS },
    },
  ],
  memberships_join: [
    {
      what: 'join what is open',
      record: toJoin({ joinPolicy: 'open' }),
      call: post((id) => `/api/group/${id}/join`),
      expected: { ...WRITERS, members: 'ok NOT_FOUND NOT_FOUND' },
    },
    {
      what: 'join what is closed',
      record: toJoin({ joinPolicy: 'closed' }),
      call: post((id) => `/api/group/${id}/join`),
      expected: { ...WRITERS, members: 'FORBIDDEN NOT_FOUND NOT_FOUND' },
    },
    {
      what: 'join what is private and open',
      record: toJoin({ joinPolicy: 'open', visibility: 'private' }),
      call: post((id) => `/api/group/${id}/join`),
      expected: {
        ...WRITERS,
        members: 'NOT_FOUND NOT_FOUND NOT_FOUND',
        creator: 'ok NOT_FOUND NOT_FOUND',
        admin: 'ok NOT_FOUND NOT_FOUND',
      },
    },
  ],
  memberships_leave: [
    {
      what: 'leave as member',
      record: { ...groupOf('member'), whose: ['own', 'foreign', 'missing'] },
      call: post((id) => `/api/group/${id}/leave`),
      expected: { ...WRITERS, members: 'ok NOT_FOUND NOT_FOUND' },
    },
    {
      what: 'leave as the last owner',
      record: { ...OWNED, whose: ['own', 'foreign', 'missing'] },
      call: post((id) => `/api/group/${id}/leave`),
      expected: { ...WRITERS, members: 'CONFLICT NOT_FOUND NOT_FOUND' },
    },
  ],
  memberships_requests: [
    {
      what: 'list as moderator',
      record: KEPT_MODERATED,
      call: get((id) => `/api/group/${id}/requests`),
      expected: { ...SIGNED_IN, ...ADMINS_OR_OWN },
    },
    {
      what: 'list as member',
      record: KEPT_JOINED,
      call: get((id) => `/api/group/${id}/requests`),
      expected: { ...SIGNED_IN, ...ADMINS },
    },
  ],
  memberships_decide: [
    {
      what: 'approve as owner',
      record: withRequest(OWNED),
      call: (client, { id, userId }) =>
        client.post(`/api/group/${id}/requests/${userId}`, { decision: 'approve' }),
      expected: { ...WRITERS, ...ADMINS_OR_OWN },
    },
    {
      what: 'reject as member',
      record: withRequest(groupOf('member')),
      call: (client, { id, userId }) =>
        client.post(`/api/group/${id}/requests/${userId}`, { decision: 'reject' }),
      expected: { ...WRITERS, ...ADMINS },
    },
  ],
};
