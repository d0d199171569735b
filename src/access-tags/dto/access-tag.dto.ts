import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '#libs/http';
import { ROLES, type Role } from '../../kernel/callers/roles';

export class AccessTagDto {
  /** @example 3 */
  id!: number;

  /** @example "Founding member" */
  title!: string;

  /** @example 1 */
  PlatformId!: number;

  /**
   * Who made it; null when it is the platform's.
   * @example null
   */
  AuthorId!: number | null;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;
}

export class AddedAccessTagDto {
  @ApiProperty({ enum: ['true'], example: 'true', description: 'Always the text `true`.' })
  success!: string;

  /** @example 3 */
  id!: number;
}

/** Someone who holds an access tag. */
export class AccessTagHolderDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;

  @ApiProperty({ enum: ROLES, example: 'free' })
  role!: Role;

  /**
   * When they cease to hold it.
   * @example null
   */
  expiresAt!: Date | null;

  /**
   * Since when they hold it.
   * @example "2026-01-05T09:30:00.000Z"
   */
  createdAt!: Date;
}

export class AccessTagHolderPageDto extends PageDto(AccessTagHolderDto) {}

export class ChangedHoldersDto {
  @ApiProperty({ enum: ['true'], example: 'true', description: 'Always the text `true`.' })
  success!: string;

  /**
   * How many users it was.
   * @example 2
   */
  count!: number;
}
