import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '#libs/http';
import {
  GROUP_VISIBILITIES,
  type GroupVisibility,
  JOIN_POLICIES,
  type JoinPolicy,
  MEMBER_ROLES,
  MEMBER_SOURCES,
  MEMBER_STATUSES,
  type MemberRole,
  type MemberSource,
  type MemberStatus,
  POST_POLICIES,
  type PostPolicy,
} from '../group-terms';

export class MembershipDto {
  /** @example 12 */
  UserId!: number;

  /** @example 1 */
  GroupId!: number;

  @ApiProperty({ enum: MEMBER_ROLES, example: 'owner' })
  role!: MemberRole;

  @ApiProperty({ enum: MEMBER_STATUSES, example: 'active' })
  status!: MemberStatus;

  @ApiProperty({ enum: MEMBER_SOURCES, example: 'manual' })
  source!: MemberSource;

  /**
   * When the membership ends.
   * @example null
   */
  expiresAt!: Date | null;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;
}

export class GroupDto {
  /** @example 1 */
  id!: number;

  /** @example "Skippers" */
  name!: string;

  /** @example "skippers" */
  slug!: string;

  /**
   * Sanitised HTML.
   * @example "<p>Those who hold the tiller.</p>"
   */
  description!: string | null;

  /** @example 1 */
  PlatformId!: number;

  /**
   * Owner.
   * @example 12
   */
  UserId!: number;

  /** @example null */
  photoUrl!: string | null;

  /** @example null */
  bannerImageUrl!: string | null;

  @ApiProperty({ enum: GROUP_VISIBILITIES, example: 'members', description: 'Who sees that it exists.' })
  visibility!: GroupVisibility;

  @ApiProperty({ enum: JOIN_POLICIES, example: 'closed' })
  joinPolicy!: JoinPolicy;

  @ApiProperty({ enum: POST_POLICIES, example: 'members', description: 'Who may post in it.' })
  postPolicy!: PostPolicy;

  /**
   * Holders of any of these tags are members by rule.
   * @example [3]
   */
  AccessTagIds!: number[];

  /**
   * Display order.
   * @example 1
   */
  position!: number;

  /** @example 14 */
  memberCount!: number;

  /** @example false */
  archived!: boolean;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;

  /** The caller's own membership. */
  myMembership!: MembershipDto | null;
}

export class GroupPageDto extends PageDto(GroupDto) {}

/** A group to choose, for instance as the entry of a gate. */
export class GroupOptionDto {
  /** @example 1 */
  id!: number;

  /** @example "Skippers" */
  name!: string;

  /**
   * Owner.
   * @example 12
   */
  UserId!: number;
}
