import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsClearable, IsIds, IsInstant, IsOmittable, IsText } from '#libs/http';
import { MEMBER_ROLES, type MemberRole } from '../group-terms';

/** Who shall belong to a group. */
export class AddMembersDto {
  /** @example [12, 15] */
  @IsIds()
  userIds!: number[];

  @IsOmittable()
  @IsIn(MEMBER_ROLES)
  @ApiProperty({
    enum: MEMBER_ROLES,
    example: 'member',
    description: 'Left out: member for those who are new, and for others what they are.',
  })
  role?: MemberRole;

  /**
   * When their membership ends; owners have no end. Left out: without an end, or for those who are members
   * already as it is. Without an offset it is read in the platform's timezone.
   * @example "2027-01-01T00:00:00.000Z"
   */
  @IsClearable()
  @IsInstant()
  expiresAt?: string | null;
}

export class JoinGroupDto {
  /**
   * For those who decide on the request.
   * @example "I sail a Folkboat."
   */
  @IsClearable()
  @IsText(1000)
  reason?: string | null;
}

export const DECISIONS = ['approve', 'reject'] as const;
export type Decision = (typeof DECISIONS)[number];

export class DecideRequestDto {
  @IsIn(DECISIONS)
  @ApiProperty({ enum: DECISIONS, example: 'approve' })
  decision!: Decision;

  /**
   * Why.
   * @example "Welcome aboard."
   */
  @IsClearable()
  @IsText(1000)
  reason?: string | null;
}
