import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '#libs/errors';
import { SizedAnswers } from '#libs/http';
import { ContentService } from '../content/content.service';
import type { ContentDto } from '../content/dto/content.dto';
import type { Viewer } from '../kernel/callers/caller';
import { ContentSearchRepository } from './content-search.repository';
import type { FoundContentsDto } from './dto/found-contents.dto';
import type {
  ReadOrSearchQuery,
  SearchContentsQuery,
  SearchPlatformContentsQuery,
} from './dto/search-contents.query';
import { presentFound } from './found-content.presenter';

/** Finding content by words. */
@Injectable()
export class SearchService {
  constructor(
    private readonly found: ContentSearchRepository,
    private readonly contents: ContentService,
    private readonly answers: SizedAnswers,
  ) {}

  /** The given path `/api/content/{n}` is both the item n and, with `q`, the search on platform n. */
  async readOrSearch(
    viewer: Viewer,
    id: number,
    { q, limit }: ReadOrSearchQuery,
  ): Promise<ContentDto | FoundContentsDto> {
    if (q !== undefined) return this.search(viewer, { q, limit, PlatformId: id });
    if (!viewer) throw new UnauthorizedError();
    return this.contents.read(viewer, id);
  }

  async search(viewer: Viewer, { q, limit, PlatformId }: SearchContentsQuery): Promise<FoundContentsDto> {
    const platformId = PlatformId ?? viewer?.platformId ?? null;
    const { rows } = await this.answers.read((most) => this.found.search(viewer, platformId, q, limit, most));
    return { items: rows.map(presentFound) };
  }

  searchPlatform(
    viewer: Viewer,
    PlatformId: number,
    query: SearchPlatformContentsQuery,
  ): Promise<FoundContentsDto> {
    return this.search(viewer, { ...query, PlatformId });
  }
}
