import { Injectable } from '@nestjs/common';
import { NotFoundError, RoleForbiddenError } from '#libs/errors';
import { type Page, pageOf, SizedAnswers } from '#libs/http';
import { listedPlatform, type Viewer, viewerOn } from '../../kernel/callers/caller';
import { ContentListsRepository } from './content-lists.repository';
import { filtersForStaffOnly } from '../content.policy';
import { presentCard, presentContent, presentListed } from '../content.presenter';
import { ContentRepository } from '../content.repository';
import { ContentService } from '../content.service';
import type { ListedContentDto, RelatedContentsDto } from './dto/content-list.dto';
import type { ContentDto } from '../dto/content.dto';
import type { ListContentsQuery, RelatedContentsQuery } from './dto/list-contents.query';

@Injectable()
export class ContentListsService {
  constructor(
    private readonly lists: ContentListsRepository,
    private readonly contents: ContentRepository,
    private readonly content: ContentService,
    private readonly answers: SizedAnswers,
  ) {}

  async list(viewer: Viewer, query: ListContentsQuery): Promise<Page<ListedContentDto>> {
    const platformId = listedPlatform(viewer, query.PlatformId);
    const refused = filtersForStaffOnly(viewerOn(platformId, viewer), query.filters);
    if (refused.length > 0) {
      throw new RoleForbiddenError(
        refused.map((name) => ({ field: 'filters', issue: `only admins and creators filter by ${name}` })),
      );
    }
    const { rows, total } = await this.answers.read((most) =>
      this.lists.page(viewer, platformId, query, most),
    );
    return pageOf(rows.map(presentListed), total, query);
  }

  async readBySlug(viewer: Viewer, slug: string, platformId: number): Promise<ContentDto> {
    const row = await this.contents.visible(viewer, platformId, { slug });
    if (!row) throw new NotFoundError();
    return presentContent(row);
  }

  readPublic(id: number): Promise<ContentDto> {
    return this.content.show(null, id);
  }

  async related(viewer: Viewer, id: number, { limit }: RelatedContentsQuery): Promise<RelatedContentsDto> {
    const { PlatformId } = await this.content.show(viewer, id);
    const { rows } = await this.answers.read((most) =>
      this.lists.related(viewer, PlatformId, id, limit, most),
    );
    return { items: rows.map(presentCard) };
  }
}
