import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { IsClearable, IsEmailAddress, IsId, IsIds, IsOmittable, IsText, IsTitle, IsWebUrl } from '#libs/http';
import { ROLES, type Role, STATUSES, type Status } from '../../kernel/callers/roles';

/** A user to add, or to edit when `id` is present. What is left out on update stays. */
export class SaveUserDto {
  /**
   * Present: update. Absent: create.
   * @example 12
   */
  @IsClearable()
  @IsId()
  id?: number | null;

  /**
   * Required on create; unique within the platform.
   * @example "ada@example.org"
   */
  @IsOmittable()
  @IsEmailAddress()
  email?: string;

  /**
   * Required on create.
   * @example "Ada Lovelace"
   */
  @IsOmittable()
  @IsTitle(1, 100)
  name?: string;

  /** Required on create; only admins may change it. */
  @IsOmittable()
  @IsIn(ROLES)
  @ApiProperty({ enum: ROLES, example: 'free' })
  role?: Role;

  /**
   * Required on create: the admin's own platform.
   * @example 1
   */
  @IsOmittable()
  @IsId()
  PlatformId?: number;

  /** @example "https://example.org/ada.jpg" */
  @IsClearable()
  @IsWebUrl()
  photoUrl?: string | null;

  /** @example "https://example.org/ada-banner.jpg" */
  @IsClearable()
  @IsWebUrl()
  bannerImageUrl?: string | null;

  /**
   * Biography or notes.
   * @example "Sails on weekends."
   */
  @IsClearable()
  @IsText(10_000)
  notes?: string | null;

  /**
   * Replaces all group memberships; left out, they stay. A ban from a group is not lifted by it, nor its last owner
   * taken away. In a group that the user belongs to by tag rule they stay by rule.
   * @example [1, 2]
   */
  @IsOmittable()
  @IsIds()
  GroupIds?: number[];

  /**
   * Replaces all access tags; left out, they stay.
   * @example [3]
   */
  @IsOmittable()
  @IsIds()
  AccessTagIds?: number[];

  @IsOmittable()
  @IsIn(STATUSES)
  @ApiProperty({ enum: STATUSES, example: 'active' })
  status?: Status;

  /**
   * For new users; ignored on update. 8 to 128 characters.
   * @example "correct horse battery"
   */
  @IsOmittable()
  @IsString()
  password?: string;
}
