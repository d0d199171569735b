import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import {
  Access,
  type AddedOrEdited,
  ApiAddedOrEdited,
  type DeletedDto,
  IdPath,
  type Page,
  Refuses,
  type SuccessDto,
  UseErrorShapes,
} from '#libs/http';
import { PublicRead } from '../kernel/kept-reads/public-read';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { CollectionReadsService } from './collection-reads.service';
import { CollectionsService } from './collections.service';
import {
  type AdminCollectionDto,
  AdminCollectionPageDto,
  CollectionDto,
  type CollectionOptionDto,
  type ListedCollectionDto,
  ListedCollectionPageDto,
  type PlatformCollectionDto,
  type PublicCollectionDto,
} from './dto/collection.dto';
import {
  AdminCollectionsQuery,
  CollectionByIdQuery,
  CollectionBySlugQuery,
  PlatformCollectionsQuery,
  PublicCollectionsQuery,
} from './dto/list-collections.query';
import { ReorderCollectionsDto } from './dto/reorder-collections.dto';
import { SaveCollectionDto } from './dto/save-collection.dto';

@Controller('api')
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly reads: CollectionReadsService,
  ) {}

  /**
   * Add or edit a collection
   * @remarks Admins and creators add collections; creators edit their own, admins all. A collection whose last group
   * was deleted is closed, and opens when it is saved again, whatever is sent; the header `X-Warning: gate-opened`
   * then says who can read it now: `everyone`, or `gated`, those in its new groups.
   */
  @Post('collection')
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
   * List the public collections of a platform
   * @remarks Those of its homepage that anyone may open, without their contents; `contentTotal` counts the
   * contents that a visitor finds. A credential adds nothing here.
   */
  @Get('collection/public/:PlatformId')
  @Access.public()
  @PublicRead()
  @ApiOkResponse({ type: ListedCollectionPageDto })
  @Refuses({ 404: 'No platform can have this number.' })
  listPublic(
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: PublicCollectionsQuery,
  ): Promise<Page<ListedCollectionDto>> {
    return this.reads.listPublic(platformId, query);
  }

  /**
   * Read a collection as visitors find it
   * @remarks With its contents, as by its slug. A good credential counts, a bad one is ignored.
   */
  @Get('collection/:id/public')
  @Access.public({ caller: true })
  @PublicRead()
  @Refuses({ 404: 'There is no such collection, or the caller may not know of it.' })
  show(@CurrentViewer() viewer: Viewer, @Param('id', IdPath) id: number): Promise<PublicCollectionDto> {
    return this.reads.show(viewer, id);
  }

  /**
   * List the collections of a platform
   * @remarks What the platform's homepage shows: its collections by position, each with its contents, the
   * platform and the advertisements that run there. Items for members are teasers to those who may not open
   * them. A platform that does not exist has none. The answer can be large; `limit` and `contentLimit`
   * bound it. One that would be too large has fewer items per collection, evenly, and the header `X-Warning: cut`.
   */
  @Get('collection/:PlatformId')
  @Access.public({ caller: true })
  @PublicRead('large')
  @Refuses({ 404: 'No platform can have this number.' })
  onHomepage(
    @CurrentViewer() viewer: Viewer,
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: PlatformCollectionsQuery,
  ): Promise<PlatformCollectionDto[]> {
    return this.reads.onHomepage(viewer, platformId, query);
  }

  /**
   * Read a collection
   * @remarks With its contents in the order of its `sortPreference`. Staff see it in every state and hidden items
   * in it, with `showFuture=true` unpublished and expired ones too; other members see what visitors see, and what
   * is theirs to open. `GroupIds` and `ContentIds` are for staff and its owner.
   */
  @Get('collection-by-id/:id')
  @Access.member()
  @Refuses({ 404: 'There is no such collection, or the caller may not know of it.' })
  read(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Query() query: CollectionByIdQuery,
  ): Promise<CollectionDto> {
    return this.reads.read(caller, id, query);
  }

  /**
   * Read a collection by its slug
   * @remarks With its contents in the order of its `sortPreference`. Hidden, unpublished and expired ones are left
   * out for everybody; items for members are teasers to those who may not open them. A good credential counts, a
   * bad one is ignored.
   */
  @Get('collection-by-slug/:slug/:PlatformId')
  @Access.public({ caller: true })
  @PublicRead()
  @UseErrorShapes({ 404: 'message' })
  @Refuses({ 404: 'There is no such collection, or the caller may not know of it.' })
  readBySlug(
    @CurrentViewer() viewer: Viewer,
    @Param('slug') slug: string,
    @Param('PlatformId', IdPath) platformId: number,
    @Query() query: CollectionBySlugQuery,
  ): Promise<PublicCollectionDto> {
    return this.reads.readBySlug(viewer, slug, platformId, query);
  }

  /**
   * List collections to choose from
   * @remarks All of the platform, by position.
   */
  @Get('collection-options')
  @Access.role('admin', 'creator')
  options(@CurrentCaller() caller: Caller): Promise<CollectionOptionDto[]> {
    return this.reads.options(caller);
  }

  /**
   * List collections for a dashboard
   * @remarks Collections in every state, without their contents: for admins all of the platform, for creators their
   * own. `contentTotal` counts all contents that they hold.
   */
  @Get('admin/collections')
  @Access.role('admin', 'creator')
  @ApiOkResponse({ type: AdminCollectionPageDto })
  listForAdmin(
    @CurrentCaller() caller: Caller,
    @Query() query: AdminCollectionsQuery,
  ): Promise<Page<AdminCollectionDto>> {
    return this.reads.listForAdmin(caller, query);
  }

  /**
   * Reorder collections
   * @remarks The listed collections stand in the given order where the first of them stood; the others keep theirs.
   * Creators move their own.
   */
  @Post('collections/reorder')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @Refuses({
    403: 'One of the collections is not the caller’s to move.',
    404: 'One of the ids is no collection of the platform.',
  })
  reorder(@CurrentCaller() caller: Caller, @Body() dto: ReorderCollectionsDto): Promise<SuccessDto> {
    return this.collections.reorder(caller, dto);
  }

  /**
   * Delete a collection
   * @remarks For its owner and admins. Its contents stay.
   */
  @Delete('collection-by-id/:id')
  @Access.member()
  @Refuses({
    403: 'Only its owner and admins delete a collection.',
    404: 'There is no such collection, or the caller may not know of it.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.collections.remove(caller, id);
  }
}
