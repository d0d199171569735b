import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { UserDto } from '../users/dto/user.dto';
import { AccountService } from './account.service';
import type { MessageDto } from './dto/auth.dto';
import { ChangeEmailDto, ChangePasswordDto, type CodeSentDto, VerifyEmailDto } from './dto/sign-up.dto';

@Controller('api/user')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  /**
   * Change one's password
   * @remarks Needs the current password; whoever has none needs a sign-in by code that is less than 15 minutes
   * old. Other sessions end.
   */
  @Post('change-password')
  @HttpCode(200)
  @Access.member({ banned: true })
  @Refuses({ 403: 'No password is set, and the sign-in by code is too old.' })
  changePassword(@CurrentCaller() caller: Caller, @Body() dto: ChangePasswordDto): Promise<MessageDto> {
    return this.account.changePassword(caller, dto);
  }

  /**
   * Change one's e-mail address
   * @remarks Mails a code to the new address and a notice to the old one. The answer is the same for an address
   * that someone has.
   */
  @Post('change-email')
  @HttpCode(200)
  @Access.member()
  @Refuses({ 403: 'No password is set, and the sign-in by code is too old.' })
  changeEmail(@CurrentCaller() caller: Caller, @Body() dto: ChangeEmailDto): Promise<CodeSentDto> {
    return this.account.changeEmail(caller, dto);
  }

  /**
   * Confirm one's new e-mail address
   * @remarks With the code that was mailed there. Other sessions end.
   */
  @Post('change-email/verify')
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(UserDto)
  @Refuses({ 401: 'The code is wrong, used, replaced or expired (INVALID_OTP).' })
  verifyEmail(@CurrentCaller() caller: Caller, @Body() dto: VerifyEmailDto): Promise<AddedOrEdited<UserDto>> {
    return this.account.verifyEmail(caller, dto);
  }
}
