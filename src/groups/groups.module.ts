import { Module } from '@nestjs/common';
import { AccessTagsModule } from '../access-tags/access-tags.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { GroupMembersController } from './group-members.controller';
import { GroupMembersRepository } from './group-members.repository';
import { GroupMembersService } from './group-members.service';
import { GroupsController } from './groups.controller';
import { GroupsRepository } from './groups.repository';
import { GroupsService } from './groups.service';
import { MembershipsController } from './memberships.controller';
import { MembershipsService } from './memberships.service';

@Module({
  imports: [AccessTagsModule, PlatformsModule],
  controllers: [GroupsController, GroupMembersController, MembershipsController],
  providers: [
    GroupsRepository,
    GroupMembersRepository,
    GroupsService,
    GroupMembersService,
    MembershipsService,
  ],
  exports: [GroupsService],
})
export class GroupsModule {}
