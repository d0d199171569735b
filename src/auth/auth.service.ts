import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { EmailNotVerifiedError, NotFoundError, UnauthorizedError } from '#libs/errors';
import { addressKey, currentIp, RateLimits } from '#libs/http';
import { emailKey } from '#libs/text';
import { AuditService } from '../kernel/audit/audit.service';
import { PasswordsService } from '../kernel/passwords/passwords.service';
import type { Caller, SessionKind } from '../kernel/callers/caller';
import { SessionsService } from '../sessions/sessions.service';
import { TOKEN_SECONDS, TokensService } from '../sessions/tokens.service';
import type { User } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { InvalidOtpError } from './auth.errors';
import { presentMintedUser, presentSignedInUser } from './auth.presenter';
import { CodesService, NOBODY } from './codes.service';
import type { MessageDto, MintedTokenDto, MintTokenDto, SignedInDto, SignInDto } from './dto/auth.dto';
import type { VerifyCodeDto } from './dto/sign-up.dto';
import { FailuresRepository } from './failures.repository';

@Injectable()
export class AuthService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
    private readonly codes: CodesService,
    private readonly failures: FailuresRepository,
    private readonly rates: RateLimits,
    private readonly audit: AuditService,
  ) {}

  /** Every refusal is the same and takes the same time, whichever part of the credentials is wrong. */
  async signIn(dto: SignInDto): Promise<SignedInDto> {
    const address = addressKey(currentIp());
    const account = `${dto.PlatformId}:${emailKey(dto.email)}:${address}`;
    await this.rates.attempt('signInByAccount', account);
    await this.rates.attempt('signInByAddress', address);
    const user = await this.withPassword(dto);
    this.rates.forgive('signInByAccount', account, true);
    this.rates.forgive('signInByAddress', address);
    if (user.status === 'pending') {
      await this.codes.sendSignIn(user);
      throw new EmailNotVerifiedError();
    }
    const token = await this.openSession(user, 'password');
    return { token, user: presentSignedInUser(user) };
  }

  async signInWithCode({ email, PlatformId, otp }: VerifyCodeDto): Promise<SignedInDto> {
    const user = await this.users.findByEmail(PlatformId, email);
    // An unknown address takes the steps of a known one.
    const found = await this.codes.verify(user?.id ?? NOBODY, 'sign-in', otp);
    if (!user) throw new InvalidOtpError();
    return this.db.transaction(async () => {
      await this.codes.use(user.id, found);
      await this.failures.forgetAll(user.id);
      const active = await this.users.activate(user);
      return { token: await this.openSession(active, 'otp'), user: presentSignedInUser(active) };
    });
  }

  async signOut({ sessionId, userId }: Caller): Promise<MessageDto> {
    await this.sessions.signOut(sessionId, userId);
    return { message: 'Signed out.' };
  }

  async mint({ email, platformId }: MintTokenDto): Promise<MintedTokenDto> {
    const user = await this.users.findByEmail(platformId, email);
    if (!user) throw new NotFoundError('No user with this e-mail on this platform.');
    const accessToken = await this.openSession(user, 'minted');
    return { accessToken, expiresIn: TOKEN_SECONDS, user: presentMintedUser(user) };
  }

  private async withPassword({ email, password, PlatformId }: SignInDto): Promise<User> {
    const user = await this.users.findByEmail(PlatformId, email);
    const right = await this.passwords.verify(password, user?.passwordHash ?? null);
    if (user && right && (await this.failures.forgetPasswords(user.id))) {
      await this.users.rehash(user, password);
      return user;
    }
    await this.failures.countPassword(PlatformId, emailKey(email));
    throw new UnauthorizedError('E-mail or password is wrong.');
  }

  private openSession(user: User, kind: SessionKind): Promise<string> {
    const entry = this.audit.entry({
      platformId: user.PlatformId,
      actorId: kind === 'minted' ? null : user.id,
      action: kind === 'minted' ? 'token.mint' : 'user.sign-in',
      target: { type: 'user', id: user.id },
    });
    return this.tokens.issue(user, kind, entry);
  }
}
