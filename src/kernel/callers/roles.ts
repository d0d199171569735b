export const ROLES = ['free', 'basic', 'premium', 'admin', 'creator'] as const;
export type Role = (typeof ROLES)[number];

/** The membership tiers, lowest first; a gate may ask for one of them or a higher one. */
export const TIERS = ['free', 'basic', 'premium'] as const;
export type Tier = (typeof TIERS)[number];

export const STATUSES = ['active', 'pending'] as const;
export type Status = (typeof STATUSES)[number];

export const isStaffRole = (role: Role): boolean => role === 'admin' || role === 'creator';

/** The tiers whose gates the role passes. */
export const tiersUpTo = (role: Role): readonly Tier[] =>
  isStaffRole(role) ? TIERS : TIERS.slice(0, TIERS.indexOf(role as Tier) + 1);
