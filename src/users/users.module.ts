import { Module } from '@nestjs/common';
import { AccessTagsModule } from '../access-tags/access-tags.module';
import { GroupsModule } from '../groups/groups.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersController } from './users.controller';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [PlatformsModule, GroupsModule, AccessTagsModule, PasswordsModule],
  controllers: [UsersController],
  providers: [UsersRepository, UsersService],
  exports: [UsersService],
})
export class UsersModule {}
