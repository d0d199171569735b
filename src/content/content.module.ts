import { Module } from '@nestjs/common';
import { AccessTagsModule } from '../access-tags/access-tags.module';
import { GatesModule } from '../gates/gates.module';
import { GroupsModule } from '../groups/groups.module';
import { KeywordsModule } from '../keywords/keywords.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { UsersModule } from '../users/users.module';
import { ContentGatesRepository } from './content-gates.repository';
import { ContentSearchRepository } from './content-search.repository';
import { ContentExplainController } from './content-explain.controller';
import { ContentExplainRepository } from './content-explain.repository';
import { ContentExplainService } from './content-explain.service';
import { ContentController } from './content.controller';
import { ContentRepository } from './content.repository';
import { ContentService } from './content.service';

@Module({
  imports: [PlatformsModule, UsersModule, GroupsModule, AccessTagsModule, KeywordsModule, GatesModule],
  controllers: [ContentController, ContentExplainController],
  providers: [
    ContentRepository,
    ContentGatesRepository,
    ContentSearchRepository,
    ContentService,
    ContentExplainRepository,
    ContentExplainService,
  ],
  exports: [ContentService],
})
export class ContentModule {}
