import { Injectable } from '@nestjs/common';
import { cursorText } from '#libs/http';
import { presentCard } from '../content/content.presenter';
import type { Caller } from '../sessions/caller';
import type { ReadFeedQuery } from './dto/list-posts.query';
import type { FeedDto } from './dto/post.dto';
import { FeedRepository } from './feed.repository';

@Injectable()
export class FeedService {
  constructor(private readonly feed: FeedRepository) {}

  async read(caller: Caller, query: ReadFeedQuery): Promise<FeedDto> {
    const rows = await this.feed.after(caller, query);
    const shown = rows.slice(0, query.limit);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    return {
      items: shown.map(presentCard),
      nextCursor: last ? cursorText({ at: last.shownAt, id: last.id }) : null,
    };
  }
}
