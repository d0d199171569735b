import { Module } from '@nestjs/common';
import { AccessTagsModule } from '../access-tags/access-tags.module';
import { GroupsModule } from '../groups/groups.module';
import { KeywordsModule } from '../keywords/keywords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { ContentListenerModule } from './content.listener.module';
import { ContentListsController } from './lists/content-lists.controller';
import { ContentListsRepository } from './lists/content-lists.repository';
import { ContentListsService } from './lists/content-lists.service';
import { ContentExplainController } from './explain/content-explain.controller';
import { ContentExplainRepository } from './explain/content-explain.repository';
import { ContentExplainService } from './explain/content-explain.service';
import { ContentViewsController } from './views/content-views.controller';
import { ContentViewsRepository } from './views/content-views.repository';
import { ContentViewsService } from './views/content-views.service';
import { ContentController } from './content.controller';
import { ContentRecords } from './content-records.service';
import { ContentRepository } from './content.repository';
import { ContentService } from './content.service';
import { MemberContent } from './member-content';

@Module({
  imports: [
    PlatformsModule,
    UsersModule,
    GroupsModule,
    AccessTagsModule,
    KeywordsModule,
    ContentListenerModule,
  ],
  controllers: [ContentController, ContentExplainController, ContentListsController, ContentViewsController],
  providers: [
    ContentRepository,
    ContentExplainRepository,
    ContentExplainService,
    ContentListsRepository,
    ContentListsService,
    ContentViewsRepository,
    ContentViewsService,
    ContentRecords,
    MemberContent,
    ContentService,
  ],
  exports: [ContentService, ContentRecords, MemberContent],
})
export class ContentModule {}
