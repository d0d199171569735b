import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { GroupsModule } from '../groups/groups.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { CollectionsController } from './collections.controller';
import { CollectionsRepository } from './collections.repository';
import { CollectionsService } from './collections.service';

@Module({
  imports: [ContentModule, GroupsModule, PlatformsModule, UsersModule],
  controllers: [CollectionsController],
  providers: [CollectionsRepository, CollectionsService],
})
export class CollectionsModule {}
