import { Module } from '@nestjs/common';
import { AdsModule } from '../ads/ads.module';
import { ContentModule } from '../content/content.module';
import { GroupsModule } from '../groups/groups.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { CollectionListsRepository } from './collection-lists.repository';
import { CollectionReadsRepository } from './collection-reads.repository';
import { CollectionReadsService } from './collection-reads.service';
import { CollectionsListenerModule } from './collections.listener.module';
import { CollectionsController } from './collections.controller';
import { CollectionsRepository } from './collections.repository';
import { CollectionsService } from './collections.service';

@Module({
  imports: [AdsModule, CollectionsListenerModule, ContentModule, GroupsModule, PlatformsModule, UsersModule],
  controllers: [CollectionsController],
  providers: [
    CollectionsRepository,
    CollectionReadsRepository,
    CollectionListsRepository,
    CollectionReadsService,
    CollectionsService,
  ],
})
export class CollectionsModule {}
