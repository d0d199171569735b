import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { CodesRepository } from './codes.repository';
import { CodesService } from './codes.service';

@Module({
  imports: [UsersModule, PasswordsModule, PlatformsModule, MailModule],
  controllers: [AuthController],
  providers: [AuthService, CodesService, CodesRepository],
})
export class AuthModule {}
