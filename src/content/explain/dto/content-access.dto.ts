import { ApiProperty } from '@nestjs/swagger';
import { IsIdText, IsOmittable } from '#libs/http';

/** What the rule asks, in its order. */
export const ACCESS_RULES = [
  'platform',
  'status',
  'deleted',
  'published',
  'expired',
  'visibility',
  'role',
  'group',
  'tag',
  'ban',
] as const;
export type AccessRuleName = (typeof ACCESS_RULES)[number];

export const UNLOCKS = ['role', 'group', 'tag', 'date', 'signin'] as const;

export class ContentAccessQuery {
  /**
   * Whose access: one's own when absent. Only staff of the item's platform name somebody else.
   * @example 12
   */
  @IsOmittable()
  @IsIdText()
  userId?: number;
}

export class AccessRuleDto {
  @ApiProperty({ enum: ACCESS_RULES, example: 'group' })
  rule!: AccessRuleName;

  /**
   * Whether it lets them through. Of role, group and tag one is enough; a ban only keeps from writing.
   * @example false
   */
  pass!: boolean;

  /** @example "Asks for one of its groups." */
  detail!: string;
}

export class UnlockDto {
  @ApiProperty({ enum: UNLOCKS, example: 'group' })
  type!: (typeof UNLOCKS)[number];

  /**
   * Of the group or tag.
   * @example 3
   */
  id?: number;

  /**
   * When the item is published.
   * @example "2026-02-01T08:00:00.000Z"
   */
  at?: Date;

  /** @example "Skippers" */
  label!: string;
}

/** Who may do what with an item, and why. */
export class AccessExplanationDto {
  /** @example false */
  canRead!: boolean;

  /** @example false */
  canComment!: boolean;

  /** @example false */
  canReact!: boolean;

  @ApiProperty({
    enum: ACCESS_RULES,
    example: 'group',
    description: 'The rule that let them read, or the first that did not.',
  })
  decidedBy!: AccessRuleName;

  rules!: AccessRuleDto[];

  /** What would open the item: a date and a sign-in are needed, of roles, groups and tags any one. */
  unlock!: UnlockDto[];
}
