/** Who sees that a group exists. */
export const GROUP_VISIBILITIES = ['public', 'members', 'private', 'hidden'] as const;
export type GroupVisibility = (typeof GROUP_VISIBILITIES)[number];

export const JOIN_POLICIES = ['open', 'request', 'closed'] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];

/** Who may post in a group. */
export const POST_POLICIES = ['members', 'moderators'] as const;
export type PostPolicy = (typeof POST_POLICIES)[number];

export const MEMBER_ROLES = ['member', 'moderator', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const MEMBER_STATUSES = ['active', 'pending', 'banned'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export const MEMBER_SOURCES = ['manual', 'tag', 'course', 'import'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];
