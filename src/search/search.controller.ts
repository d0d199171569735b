import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Access, IdPath, RateLimit, Refuses } from '#libs/http';
import { ContentDto } from '../content/dto/content.dto';
import { CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { FoundContentsDto } from './dto/found-contents.dto';
import {
  ReadOrSearchQuery,
  SearchContentsQuery,
  SearchPlatformContentsQuery,
} from './dto/search-contents.query';
import { SearchService } from './search.service';

/** Clients know these operations as content's. */
const Named = (method: string): MethodDecorator => ApiOperation({ operationId: `content_${method}` });

@Controller('api/content')
@ApiTags('Content')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  /**
   * Search content
   * @remarks Finds words and parts of words in title, description and author name, ignoring case and accents.
   * Only what the viewer may read is found, and teasers by what they show. Without a platform and without a
   * token the public items of all platforms are searched.
   */
  @Get('search')
  @Access.optional()
  @RateLimit('search')
  @Named('search')
  search(@CurrentViewer() viewer: Viewer, @Query() query: SearchContentsQuery): Promise<FoundContentsDto> {
    return this.searches.search(viewer, query);
  }

  /**
   * Search the content of a platform
   * @remarks As the content search, with the platform in the path.
   */
  @Get('search/:PlatformId')
  @Access.optional()
  @RateLimit('search')
  @Refuses({ 404: 'No platform can have this number.' })
  @Named('searchPlatform')
  searchPlatform(
    @CurrentViewer() viewer: Viewer,
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: SearchPlatformContentsQuery,
  ): Promise<FoundContentsDto> {
    return this.searches.searchPlatform(viewer, platformId, query);
  }

  /**
   * Read a content item, or search a platform
   * @remarks Without `q` it is the item with this id, for signed-in members; one that is for members whose gate
   * the caller does not pass is answered as a teaser with `locked` true. With `q` it is the search on the
   * platform of this number, for anyone.
   */
  @Get(':id')
  @Access.memberUnless('q')
  @ApiExtraModels(ContentDto, FoundContentsDto)
  @ApiOkResponse({
    description: 'The item; with `q` what the search found.',
    schema: { oneOf: [{ $ref: getSchemaPath(ContentDto) }, { $ref: getSchemaPath(FoundContentsDto) }] },
  })
  @Refuses({ 404: 'There is no such item, or the caller may not see it.' })
  @Named('readOrSearch')
  readOrSearch(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Query() query: ReadOrSearchQuery,
  ): Promise<ContentDto | FoundContentsDto> {
    return this.searches.readOrSearch(viewer, id, query);
  }
}
