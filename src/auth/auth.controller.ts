import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { Access, ClearsCookie, Refuses, UseErrorShapes } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { TOKEN_COOKIE } from '../kernel/callers/credential';
import { AuthService } from './auth.service';
import {
  type MessageDto,
  type MintedTokenDto,
  MintTokenDto,
  type SignedInDto,
  SignInDto,
} from './dto/auth.dto';
import { AddressDto, type CodeSentDto, ResetPasswordDto, SignUpDto, VerifyCodeDto } from './dto/sign-up.dto';
import { ResetService } from './reset.service';
import { SignUpService } from './sign-up.service';

@Controller('api')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly signUps: SignUpService,
    private readonly resets: ResetService,
  ) {}

  /**
   * Mint a token for an e-mail address
   * @remarks For servers that hold the service secret: a standard user token, valid for 30 days, for any user of
   * any role. The secret is checked before the body.
   */
  @Post('auth/token-for-email')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access.serviceSecret()
  @UseErrorShapes({ 401: 'coded', 404: 'coded' })
  @Refuses({ 404: 'No user with this e-mail on this platform.' })
  mint(@Body() dto: MintTokenDto): Promise<MintedTokenDto> {
    return this.auth.mint(dto);
  }

  /**
   * Sign in with a password
   * @remarks Answers a token for the header `Authorization: Bearer`. Until the address is verified the answer is
   * 401 EMAIL_NOT_VERIFIED, and a new code goes out by mail.
   */
  @Post('user/signin')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access.public()
  @Refuses({ 401: 'E-mail, password or platform is wrong; or the address is not verified yet.' })
  signIn(@Body() dto: SignInDto): Promise<SignedInDto> {
    return this.auth.signIn(dto);
  }

  /**
   * Sign out
   * @remarks Ends the session of the token that was sent, in every process at once.
   */
  @Post('user/signout')
  @HttpCode(200)
  @Access.member({ pending: true, banned: true })
  @ClearsCookie(TOKEN_COOKIE)
  signOut(@CurrentCaller() caller: Caller): Promise<MessageDto> {
    return this.auth.signOut(caller);
  }

  /**
   * Ask for a one-time code
   * @remarks Mails a code of six digits that signs in once within ten minutes. The answer is the same for an
   * address that nobody has. A second request within a minute sends nothing new.
   */
  @Post('user/signin-otp')
  @HttpCode(200)
  @Access.public()
  requestCode(@Body() dto: AddressDto): Promise<CodeSentDto> {
    return this.signUps.requestCode(dto);
  }

  /**
   * Sign in with a one-time code
   * @remarks Five wrong tries kill a code. The address counts as verified from then on.
   */
  @Post('user/verify-otp')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access.public()
  @Refuses({ 401: 'The code is wrong, used, replaced or expired (INVALID_OTP).' })
  verifyCode(@Body() dto: VerifyCodeDto): Promise<SignedInDto> {
    return this.auth.signInWithCode(dto);
  }

  /**
   * Sign up
   * @remarks Makes an account of role free that is pending until its owner signs in with the code that is mailed.
   * The answer is the same for an address that has an account already.
   */
  @Post('user/signup')
  @HttpCode(200)
  @Access.public()
  @Refuses({ 403: 'Sign-up is closed on this platform.' })
  signUp(@Body() dto: SignUpDto): Promise<CodeSentDto> {
    return this.signUps.signUp(dto);
  }

  /**
   * Ask for a password reset
   * @remarks Mails a link that is good for one new password within the hour. The answer is the same for an
   * address that nobody has.
   */
  @Post('user/forgot-password')
  @HttpCode(200)
  @Access.public()
  forgotPassword(@Body() dto: AddressDto): Promise<MessageDto> {
    return this.resets.request(dto);
  }

  /**
   * Reset a password
   * @remarks Sets a new password and ends every session. A password that is too weak leaves the link usable.
   */
  @Post('user/reset-password')
  @HttpCode(200)
  @Access.public()
  @Refuses({ 400: 'The link is wrong, used or expired (INVALID_TOKEN), or the password is too weak.' })
  resetPassword(@Body() dto: ResetPasswordDto): Promise<MessageDto> {
    return this.resets.complete(dto);
  }
}
