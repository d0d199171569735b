import { ApiProperty } from '@nestjs/swagger';
import { NamedDto, PageDto, TitledDto } from '#libs/http';
import { PlatformSummaryDto } from '../../platforms/dto/platform.dto';
import { ROLES, type Role, STATUSES, type Status } from '../../kernel/callers/roles';

/** A user's own record, as they and their admins see it. */
export class UserDto {
  /** @example 12 */
  id!: number;

  /** @example "ada@example.org" */
  email!: string | null;

  /** @example "Ada Lovelace" */
  name!: string;

  @ApiProperty({ enum: ROLES, example: 'free' })
  role!: Role;

  @ApiProperty({ enum: STATUSES, example: 'active' })
  status!: Status;

  /** @example 1 */
  PlatformId!: number;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;

  /** @example "https://example.org/ada-banner.jpg" */
  bannerImageUrl!: string | null;

  /** @example "Sails on weekends." */
  notes!: string | null;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-05T09:30:00.000Z" */
  updatedAt!: Date;

  /**
   * Present when a user was created: a token of the new user, valid for 30 days.
   * @example "eyJhbGciOi…"
   */
  token?: string;

  /** Present when a user was updated. */
  Groups?: NamedDto[];
}

/** The signed-in user with what belongs to them. */
export class MeDto extends UserDto {
  declare Groups: NamedDto[];

  AccessTags!: TitledDto[];

  Platform!: PlatformSummaryDto;

  /**
   * Unread notifications.
   * @example 0
   */
  unreadCount!: number;
}

export class DeletedUserDto {
  /** @example "User deleted." */
  message!: string;

  /** @example "12" */
  id!: string;
}

/** A member as other members see them. */
export class ProfileDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;

  /** @example "https://example.org/ada-banner.jpg" */
  bannerImageUrl!: string | null;

  /** @example "Sails on weekends." */
  notes!: string | null;

  @ApiProperty({ enum: ROLES, example: 'free' })
  role!: Role;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** Those groups whose existence the viewer may see. */
  Groups!: NamedDto[];
}

export class FoundUserDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;
}

export class FoundUsersDto {
  items!: FoundUserDto[];
}

export class AdminDto extends FoundUserDto {
  @ApiProperty({ enum: ROLES, example: 'admin' })
  role!: Role;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /**
   * For admins only.
   * @example "ada@example.org"
   */
  email?: string | null;
}

export class AdminsDto {
  admins!: AdminDto[];

  /** @example 2 */
  total!: number;

  /** @example 1 */
  page!: number;

  /** @example 20 */
  limit!: number;
}

/** A user as staff see them in lists. */
export class ListedUserDto extends FoundUserDto {
  @ApiProperty({ enum: ROLES, example: 'free' })
  role!: Role;

  @ApiProperty({ enum: STATUSES, example: 'active' })
  status!: Status;

  /** @example false */
  banned!: boolean;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /**
   * For admins only.
   * @example "ada@example.org"
   */
  email?: string | null;
}

export class ListedUserPageDto extends PageDto(ListedUserDto) {}
