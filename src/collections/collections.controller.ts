import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, IdPath, Refuses } from '#libs/http';
import { PublicRead } from '../public-reads/public-read';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../sessions/caller';
import { CollectionsService } from './collections.service';
import { CollectionDto, type PlatformCollectionDto } from './dto/collection.dto';
import { PlatformCollectionsQuery } from './dto/list-collections.query';
import { SaveCollectionDto } from './dto/save-collection.dto';

@Controller('api/collection')
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  /**
   * Add or edit a collection
   * @remarks Admins and creators add collections; creators edit their own, admins all.
   */
  @Post()
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @ApiAddedOrEdited(CollectionDto)
  @Refuses({ 403: 'The caller is no admin or creator, or the collection or platform is not theirs.' })
  save(
    @CurrentCaller() caller: Caller,
    @Body() dto: SaveCollectionDto,
  ): Promise<AddedOrEdited<CollectionDto>> {
    return this.collections.save(caller, dto);
  }

  /**
   * List the collections of a platform
   * @remarks What the platform's homepage shows: its collections by position, each with its contents, the
   * platform and the advertisements that run there. Items for members are teasers to those who may not open
   * them. A platform that does not exist has none. The answer can be large; `limit` and `contentLimit` bound it.
   */
  @Get(':PlatformId')
  @Access.public({ caller: true })
  @PublicRead()
  @Refuses({ 404: 'No platform can have this number.' })
  onHomepage(
    @CurrentViewer() viewer: Viewer,
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: PlatformCollectionsQuery,
  ): Promise<PlatformCollectionDto[]> {
    return this.collections.onHomepage(viewer, platformId, query);
  }
}
