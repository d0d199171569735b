import { Module } from '@nestjs/common';
import { AdsModule } from '../ads/ads.module';
import { ContentModule } from '../content/content.module';
import { GatesModule } from '../kernel/gates/gates.module';
import { GroupsModule } from '../groups/groups.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { CollectionGatesRepository } from './collection-gates.repository';
import { CollectionListsRepository } from './collection-lists.repository';
import { CollectionReadsRepository } from './collection-reads.repository';
import { CollectionReadsService } from './collection-reads.service';
import { CollectionsController } from './collections.controller';
import { CollectionsRepository } from './collections.repository';
import { CollectionsService } from './collections.service';

@Module({
  imports: [AdsModule, ContentModule, GroupsModule, PlatformsModule, UsersModule, GatesModule],
  controllers: [CollectionsController],
  providers: [
    CollectionsRepository,
    CollectionReadsRepository,
    CollectionListsRepository,
    CollectionGatesRepository,
    CollectionReadsService,
    CollectionsService,
  ],
})
export class CollectionsModule {}
