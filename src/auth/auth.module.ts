import { Module } from '@nestjs/common';
import { MailModule } from '../kernel/mail/mail.module';
import { PasswordsModule } from '../kernel/passwords/passwords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { AccountController } from './account.controller';
import { AccountService } from './account.service';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { CodesRepository } from './codes.repository';
import { CodesService } from './codes.service';
import { FailuresRepository } from './failures.repository';
import { ResetService } from './reset.service';
import { ResetsRepository } from './resets.repository';
import { SignUpService } from './sign-up.service';

@Module({
  imports: [UsersModule, PasswordsModule, PlatformsModule, MailModule],
  controllers: [AuthController, AccountController],
  providers: [
    AuthService,
    AccountService,
    SignUpService,
    ResetService,
    CodesService,
    CodesRepository,
    FailuresRepository,
    ResetsRepository,
  ],
  exports: [AccountService, SignUpService, ResetService],
})
export class AuthModule {}
