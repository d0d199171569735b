import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { FeedController } from './feed.controller';
import { FeedRepository } from './feed.repository';
import { FeedService } from './feed.service';
import { PostsController } from './posts.controller';
import { PostsRepository } from './posts.repository';
import { PostsService } from './posts.service';

/** What members post, and the feed of all that is new. */
@Module({
  imports: [ContentModule],
  controllers: [PostsController, FeedController],
  providers: [PostsRepository, PostsService, FeedRepository, FeedService],
})
export class PostsModule {}
