import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsEmailAddress, IsIdText, IsOmittable, IsTitle, MaxBytes } from '#libs/http';

/** An address on a platform. */
export class AddressDto {
  /** @example "ada@example.org" */
  @IsEmailAddress()
  email!: string;

  /**
   * As a string or an integer.
   * @example "1"
   */
  @IsIdText()
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'integer' }], example: '1' })
  PlatformId!: number;
}

export class SignUpDto extends AddressDto {
  /** @example "Ada Lovelace" */
  @IsTitle(1, 100)
  name!: string;

  /**
   * Leave it out: a field that people do not see and machines fill in.
   * @example ""
   */
  @IsOmittable()
  @IsString()
  @MaxLength(2048)
  website?: string;
}

export class VerifyCodeDto extends AddressDto {
  /**
   * Six digits; spaces and dashes do not count.
   * @example "042 517"
   */
  @IsString()
  @MaxLength(32)
  otp!: string;
}

export class CodeSentDto {
  /** @example "If the address is known, a code is on its way." */
  message!: string;

  /**
   * Seconds for which the code is valid.
   * @example 600
   */
  expiresIn!: number;
}

export class ResetPasswordDto {
  /**
   * From the link in the mail.
   * @example "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80"
   */
  @IsString()
  @MaxLength(200)
  token!: string;

  /**
   * 8 to 128 characters.
   * @example "correct horse battery"
   */
  @IsString()
  @MaxBytes(1024)
  password!: string;
}

export class ChangePasswordDto {
  /**
   * Required when a password is set.
   * @example "correct horse battery"
   */
  @IsOmittable()
  @IsString()
  @MaxBytes(1024)
  currentPassword?: string;

  /**
   * 8 to 128 characters.
   * @example "battery staple correct"
   */
  @IsString()
  @MaxBytes(1024)
  password!: string;
}

export class ChangeEmailDto {
  /** @example "ada@new.example.org" */
  @IsEmailAddress()
  email!: string;

  /**
   * Required when a password is set.
   * @example "correct horse battery"
   */
  @IsOmittable()
  @IsString()
  @MaxBytes(1024)
  currentPassword?: string;
}

export class VerifyEmailDto {
  /**
   * Six digits, from the mail to the new address.
   * @example "042517"
   */
  @IsString()
  @MaxLength(32)
  otp!: string;
}
