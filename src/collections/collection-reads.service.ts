import { Injectable } from '@nestjs/common';
import { NotFoundError } from '#libs/errors';
import { type Page, pageOf } from '#libs/http';
import { AdsService } from '../ads/ads.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff, type Viewer, viewerOn } from '../sessions/caller';
import { CollectionListsRepository } from './collection-lists.repository';
import {
  presentAdminCollection,
  presentCollection,
  presentListedCollection,
  presentPlatformCollection,
  presentPublicCollection,
} from './collection.presenter';
import { CollectionReadsRepository } from './collection-reads.repository';
import { canSeeLinks } from './collections.policy';
import type {
  AdminCollectionDto,
  CollectionDto,
  CollectionOptionDto,
  ListedCollectionDto,
  PlatformCollectionDto,
  PublicCollectionDto,
} from './dto/collection.dto';
import type {
  AdminCollectionsQuery,
  CollectionByIdQuery,
  CollectionBySlugQuery,
  PlatformCollectionsQuery,
  PublicCollectionsQuery,
} from './dto/list-collections.query';

/** How collections are read: by members of their platform, by visitors, in lists. */
@Injectable()
export class CollectionReadsService {
  constructor(
    private readonly collections: CollectionReadsRepository,
    private readonly lists: CollectionListsRepository,
    private readonly platforms: PlatformsService,
    private readonly ads: AdsService,
  ) {}

  /** Staff see it in every state, with its hidden items; to other members it is as to visitors. */
  async read(
    caller: Caller,
    id: number,
    { showFuture }: CollectionByIdQuery = { showFuture: false },
  ): Promise<CollectionDto> {
    const staff = isStaff(caller);
    const besides = { hidden: staff, future: staff && showFuture };
    const found = await this.collections.withLinks(caller, id, staff, besides);
    if (!found) throw new NotFoundError();
    return presentCollection(found, canSeeLinks(caller, found.collection));
  }

  async readBySlug(
    viewer: Viewer,
    slug: string,
    platformId: number,
    { limit }: CollectionBySlugQuery,
  ): Promise<PublicCollectionDto> {
    const found = await this.collections.open(viewerOn(platformId, viewer), platformId, { slug }, limit);
    if (!found) throw new NotFoundError('There is no such collection.');
    return presentPublicCollection(found);
  }

  /** The collection whatever its platform: to people of another one as to a visitor. */
  async show(viewer: Viewer, id: number): Promise<PublicCollectionDto> {
    const platformId = await this.collections.platformOf(id);
    const found =
      platformId === null
        ? null
        : await this.collections.open(viewerOn(platformId, viewer), platformId, { id });
    if (!found) throw new NotFoundError();
    return presentPublicCollection(found);
  }

  /** Four statements, however many collections, contents and ads there are. */
  async onHomepage(
    caller: Viewer,
    platformId: number,
    query: PlatformCollectionsQuery,
  ): Promise<PlatformCollectionDto[]> {
    const platform = await this.platforms.embedded(platformId);
    if (!platform) return [];
    const viewer = viewerOn(platformId, caller);
    const collections = await this.collections.onHomepage(viewer, platformId, query);
    const ids = collections.map(({ id }) => id);
    const contents = await this.collections.contentsOf(viewer, ids, query);
    const ads = await this.ads.forCollections(viewer, platformId, ids);
    return collections.map((collection) => {
      const { id } = collection;
      return presentPlatformCollection(collection, contents.get(id) ?? [], ads.get(id) ?? [], platform);
    });
  }

  async listPublic(platformId: number, query: PublicCollectionsQuery): Promise<Page<ListedCollectionDto>> {
    const { rows, total } = await this.lists.publicPage(platformId, query);
    return pageOf(rows.map(presentListedCollection), total, query);
  }

  async listForAdmin(caller: Caller, query: AdminCollectionsQuery): Promise<Page<AdminCollectionDto>> {
    const { rows, total } = await this.lists.adminPage(caller, query);
    return pageOf(rows.map(presentAdminCollection), total, query);
  }

  options({ platformId }: Caller): Promise<CollectionOptionDto[]> {
    return this.lists.options(platformId);
  }
}
