import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import {
  Access,
  type AddedOrEdited,
  ApiAddedOrEdited,
  type DeletedDto,
  IdPath,
  RateLimit,
  Refuses,
} from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../sessions/caller';
import { ContentService } from './content.service';
import { ContentDto, FoundContentsDto } from './dto/content.dto';
import { SaveContentDto } from './dto/save-content.dto';
import {
  ReadOrSearchQuery,
  SearchContentsQuery,
  SearchPlatformContentsQuery,
} from './dto/search-contents.query';

@Controller('api/content')
export class ContentController {
  constructor(private readonly contents: ContentService) {}

  /**
   * Add or edit a content item
   * @remarks Admins and creators add any type, other members posts only. Creators edit their own, admins all.
   * A member's post is taken as by `POST /api/post`, its description as the message.
   * Groups, access tags and the required role gate `members` and `private` items; on others they only file the
   * item, and the answer carries the header `X-Warning: gate-without-effect`. A gate that was closed because its last
   * group or tag was deleted opens when the item is saved again, whatever is sent; an item that was for members before
   * is for members again, unless the request says otherwise. The header `X-Warning: gate-opened` then says who can
   * read it now: `everyone`, `members`, `gated` (those who pass its new gate) or `author-and-staff`.
   */
  @Post()
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(ContentDto)
  @Refuses({
    403: 'The caller may not add this type, set one of these fields, or change this item.',
    404: 'There is no such item, or the caller may not see it.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveContentDto): Promise<AddedOrEdited<ContentDto>> {
    return this.contents.save(caller, dto);
  }

  /**
   * Search content
   * @remarks Finds words and parts of words in title, description and author name, ignoring case and accents.
   * Only what the viewer may read is found, and teasers by what they show. Without a platform and without a
   * token the public items of all platforms are searched.
   */
  @Get('search')
  @Access.optional()
  @RateLimit('search')
  search(@CurrentViewer() viewer: Viewer, @Query() query: SearchContentsQuery): Promise<FoundContentsDto> {
    return this.contents.search(viewer, query);
  }

  /**
   * Search the content of a platform
   * @remarks As the content search, with the platform in the path.
   */
  @Get('search/:PlatformId')
  @Access.optional()
  @RateLimit('search')
  @Refuses({ 404: 'No platform can have this number.' })
  searchPlatform(
    @CurrentViewer() viewer: Viewer,
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: SearchPlatformContentsQuery,
  ): Promise<FoundContentsDto> {
    return this.contents.searchPlatform(viewer, platformId, query);
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
  readOrSearch(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Query() query: ReadOrSearchQuery,
  ): Promise<ContentDto | FoundContentsDto> {
    return this.contents.readOrSearch(viewer, id, query);
  }

  /**
   * Delete a content item
   * @remarks For its author and admins. It is gone from lists, search and collections at once.
   */
  @Delete(':id')
  @Access.member()
  @Refuses({
    403: 'Only the author and admins delete content.',
    404: 'There is no such item, or the caller may not see it.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.contents.remove(caller, id);
  }
}
