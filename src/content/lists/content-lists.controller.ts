import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, IdPath, type Page, Refuses } from '#libs/http';
import { PublicRead } from '../../kernel/kept-reads/public-read';
import { CurrentViewer, type Viewer } from '../../kernel/callers/caller';
import { ContentListsService } from './content-lists.service';
import { ContentPageDto, type ListedContentDto, type RelatedContentsDto } from './dto/content-list.dto';
import type { ContentDto } from '../dto/content.dto';
import { ListContentsQuery, RelatedContentsQuery } from './dto/list-contents.query';

@Controller('api')
export class ContentListsController {
  constructor(private readonly lists: ContentListsService) {}

  /**
   * List content
   * @remarks What the viewer may read, and teasers, as cards; never what is hidden, save to staff. To staff of
   * the platform the list holds what is published and not expired, with the filter `published:false` the rest,
   * with `published:all` both. The filters `visibility` and `published` are theirs alone. A group that the
   * viewer may not know of has no content.
   */
  @Get('contents')
  @Access.optional()
  @PublicRead()
  @ApiOkResponse({ type: ContentPageDto })
  @Refuses({ 403: 'Only staff of the platform filter by `visibility` and `published`.' })
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListContentsQuery): Promise<Page<ListedContentDto>> {
    return this.lists.list(viewer, query);
  }

  /**
   * Read a content item by its slug
   * @remarks One that is for members whose gate the viewer does not pass is answered as a teaser with `locked`
   * true. Hidden items are found.
   */
  @Get('content-by-slug/:slug/:PlatformId')
  @Access.optional()
  @PublicRead()
  @Refuses({ 404: 'There is no such item, or the viewer may not see it.' })
  readBySlug(
    @CurrentViewer() viewer: Viewer,
    @Param('slug') slug: string,
    @Param('PlatformId', IdPath) platformId: number,
  ): Promise<ContentDto> {
    return this.lists.readBySlug(viewer, slug, platformId);
  }

  /**
   * Read a content item as a visitor
   * @remarks As anyone without a token sees it, whoever asks. What is for members is answered as a teaser with
   * `locked` true.
   */
  @Get('content/:id/public')
  @Access.public()
  @PublicRead()
  @Refuses({ 404: 'There is no such item, or visitors may not see it.' })
  readPublic(@Param('id', IdPath) id: number): Promise<ContentDto> {
    return this.lists.readPublic(id);
  }

  /**
   * List content related to an item
   * @remarks Items that share keywords with it, those that share most of them first, then the newest; only what
   * the viewer may read, and teasers.
   */
  @Get('content/:id/related')
  @Access.optional()
  @Refuses({ 404: 'There is no such item, or the viewer may not see it.' })
  related(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Query() query: RelatedContentsQuery,
  ): Promise<RelatedContentsDto> {
    return this.lists.related(viewer, id, query);
  }
}
