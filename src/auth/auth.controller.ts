import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { Access, ClearsCookie, Refuses, UseErrorShapes } from '#libs/http';
import { type Caller, CurrentCaller } from '../sessions/caller';
import { TOKEN_COOKIE } from '../sessions/credential';
import { AuthService } from './auth.service';
import {
  type MessageDto,
  type MintedTokenDto,
  MintTokenDto,
  type SignedInDto,
  SignInDto,
} from './dto/auth.dto';

@Controller('api')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

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
}
