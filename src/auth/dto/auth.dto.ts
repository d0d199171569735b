import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsEmailAddress, IsId, IsIdText, MaxBytes } from '#libs/http';
import { ROLES, type Role, STATUSES, type Status } from '../../kernel/callers/roles';

export class SignInDto {
  /** @example "ada@example.org" */
  @IsEmailAddress()
  email!: string;

  /**
   * At most 1,024 bytes.
   * @example "correct horse battery"
   */
  @IsString()
  @MaxBytes(1024)
  password!: string;

  /**
   * The platform to sign in to, as a string or an integer.
   * @example "1"
   */
  @IsIdText()
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'integer' }], example: '1' })
  PlatformId!: number;
}

export class SignedInUserDto {
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
}

export class SignedInDto {
  /**
   * Bearer token, valid for 30 days.
   * @example "eyJhbGciOi…"
   */
  token!: string;

  user!: SignedInUserDto;
}

export class MessageDto {
  /** @example "Signed out." */
  message!: string;
}

export class MintTokenDto {
  /** @example "ada@example.org" */
  @IsEmailAddress()
  email!: string;

  /** @example 1 */
  @IsId()
  platformId!: number;
}

export class MintedUserDto {
  /** @example 12 */
  id!: number;

  /** @example "ada@example.org" */
  email!: string | null;

  /** @example "Ada Lovelace" */
  name!: string;

  @ApiProperty({ enum: ROLES, example: 'free' })
  role!: Role;

  /** @example 1 */
  platformId!: number;
}

export class MintedTokenDto {
  /**
   * A standard user token.
   * @example "eyJhbGciOi…"
   */
  accessToken!: string;

  /**
   * Seconds.
   * @example 2592000
   */
  expiresIn!: number;

  user!: MintedUserDto;
}
