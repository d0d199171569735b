import { IsClearable, IsId, IsIds, IsInstant, IsTitle } from '#libs/http';

export class AddAccessTagDto {
  /** @example "Founding member" */
  @IsTitle(1, 100)
  title!: string;

  /**
   * Null, or oneself; admins may name any user of the platform.
   * @example null
   */
  @IsClearable()
  @IsId()
  AuthorId?: number | null;
}

/** Who shall lose the tag. */
export class RevokeAccessTagDto {
  /** @example [12, 15] */
  @IsIds()
  userIds!: number[];
}

/** Who shall hold the tag, and until when. */
export class GrantAccessTagDto extends RevokeAccessTagDto {
  /**
   * Left out: without an end, or for those who hold it already as it is. Without an offset it is read in the
   * platform's timezone.
   * @example "2027-01-01T00:00:00.000Z"
   */
  @IsClearable()
  @IsInstant()
  expiresAt?: string | null;
}
