import { Module } from '@nestjs/common';
import { AccessTagsModule } from '../access-tags/access-tags.module';
import { GroupsModule } from '../groups/groups.module';
import { MailModule } from '../kernel/mail/mail.module';
import { PasswordsModule } from '../kernel/passwords/passwords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { DirectoryController } from './directory.controller';
import { DirectoryRepository } from './directory.repository';
import { DirectoryService } from './directory.service';
import { LastAdminService } from './last-admin.service';
import { StandingController } from './standing.controller';
import { StandingService } from './standing.service';
import { UsersController } from './users.controller';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [PlatformsModule, GroupsModule, AccessTagsModule, PasswordsModule, MailModule],
  controllers: [UsersController, StandingController, DirectoryController],
  providers: [
    UsersRepository,
    LastAdminService,
    UsersService,
    DirectoryRepository,
    DirectoryService,
    StandingService,
  ],
  exports: [UsersService],
})
export class UsersModule {}
