import { Injectable } from '@nestjs/common';
import { EmailNotVerifiedError, NotFoundError, UnauthorizedError } from '#libs/errors';
import { PasswordsService } from '../passwords/passwords.service';
import type { Caller } from '../sessions/caller';
import { SessionsRepository } from '../sessions/sessions.repository';
import { TOKEN_SECONDS, TokensService } from '../sessions/tokens.service';
import { UsersService } from '../users/users.service';
import { presentMintedUser, presentSignedInUser } from './auth.presenter';
import { CodesService } from './codes.service';
import type { MessageDto, MintedTokenDto, MintTokenDto, SignedInDto, SignInDto } from './dto/auth.dto';

@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly sessions: SessionsRepository,
    private readonly codes: CodesService,
  ) {}

  /** Every refusal is the same and takes the same time, whichever part of the credentials is wrong. */
  async signIn({ email, password, PlatformId }: SignInDto): Promise<SignedInDto> {
    const user = await this.users.findByEmail(PlatformId, email);
    const right = await this.passwords.verify(password, user?.passwordHash ?? null);
    if (!user || !right) throw new UnauthorizedError('E-mail or password is wrong.');
    if (user.status === 'pending') {
      await this.codes.send(user);
      throw new EmailNotVerifiedError();
    }
    return { token: await this.tokens.issue(user, 'password'), user: presentSignedInUser(user) };
  }

  async signOut({ sessionId }: Caller): Promise<MessageDto> {
    await this.sessions.end(sessionId);
    return { message: 'Signed out.' };
  }

  async mint({ email, platformId }: MintTokenDto): Promise<MintedTokenDto> {
    const user = await this.users.findByEmail(platformId, email);
    if (!user) throw new NotFoundError('No user with this e-mail on this platform.');
    return {
      accessToken: await this.tokens.issue(user, 'minted'),
      expiresIn: TOKEN_SECONDS,
      user: presentMintedUser(user),
    };
  }
}
