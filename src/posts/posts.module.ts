import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { GroupsModule } from '../groups/groups.module';
import { ModerationModule } from '../moderation/moderation.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { FeedController } from './feed.controller';
import { FeedRepository } from './feed.repository';
import { FeedService } from './feed.service';
import { MemberPostsRepository } from './member-posts.repository';
import { MemberPostsService } from './member-posts.service';
import { PostsController } from './posts.controller';
import { PostsRepository } from './posts.repository';
import { PostsService } from './posts.service';

/** What members post, and the feed of all that is new. */
@Module({
  imports: [ContentModule, GroupsModule, ModerationModule, PlatformsModule],
  controllers: [PostsController, FeedController],
  providers: [
    MemberPostsRepository,
    MemberPostsService,
    PostsRepository,
    PostsService,
    FeedRepository,
    FeedService,
  ],
})
export class PostsModule {}
