import { Controller, Get, Query } from '@nestjs/common';
import { Access } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { ReadFeedQuery } from './dto/list-posts.query';
import type { FeedDto } from './dto/post.dto';
import { FeedService } from './feed.service';

@Controller('api/feed')
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  /**
   * Read the feed
   * @remarks Posts and other content of the caller's groups and platform, newest first: what they may read, and
   * teasers. New items do not move the pages that follow a cursor.
   */
  @Get()
  @Access.member()
  read(@CurrentCaller() caller: Caller, @Query() query: ReadFeedQuery): Promise<FeedDto> {
    return this.feed.read(caller, query);
  }
}
