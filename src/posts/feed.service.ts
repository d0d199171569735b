import { Injectable } from '@nestjs/common';
import { cursorText, SizedAnswers } from '#libs/http';
import { presentCard } from '../content/content.presenter';
import type { Caller } from '../kernel/callers/caller';
import type { ReadFeedQuery } from './dto/list-posts.query';
import type { FeedDto } from './dto/post.dto';
import { FeedRepository } from './feed.repository';

@Injectable()
export class FeedService {
  constructor(
    private readonly feed: FeedRepository,
    private readonly answers: SizedAnswers,
  ) {}

  async read(caller: Caller, query: ReadFeedQuery): Promise<FeedDto> {
    const { rows, more } = await this.answers.read((most) => this.feed.after(caller, query, most));
    const last = more ? rows.at(-1) : undefined;
    return {
      items: rows.map(presentCard),
      nextCursor: last ? cursorText({ at: last.shownAt, id: last.id }) : null,
    };
  }
}
