import { Injectable } from '@nestjs/common';
import { NotFoundError } from '#libs/errors';
import { type Page, pageOf, SizedAnswers, warn } from '#libs/http';
import { AdsService } from '../ads/ads.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff, type Viewer, viewerOn } from '../kernel/callers/caller';
import { CollectionListsRepository } from './collection-lists.repository';
import {
  type FilledCollection,
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

/** What an answer says of a collection besides its texts. */
const COLLECTION_BYTES = 700;

/** How collections are read: by members of their platform, by visitors, in lists. */
@Injectable()
export class CollectionReadsService {
  constructor(
    private readonly collections: CollectionReadsRepository,
    private readonly lists: CollectionListsRepository,
    private readonly platforms: PlatformsService,
    private readonly ads: AdsService,
    private readonly answers: SizedAnswers,
  ) {}

  /** Staff see it in every state, with its hidden items; to other members it is as to visitors. */
  async read(
    caller: Caller,
    id: number,
    { showFuture }: CollectionByIdQuery = { showFuture: false },
  ): Promise<CollectionDto> {
    const staff = isStaff(caller);
    const besides = { hidden: staff, future: staff && showFuture };
    const found = await this.answers.read(
      (most) => this.collections.withLinks(caller, id, staff, besides, most),
      this.answers.collections,
    );
    if (!found) throw new NotFoundError();
    return presentCollection(found, canSeeLinks(caller, found.collection));
  }

  async readBySlug(
    viewer: Viewer,
    slug: string,
    platformId: number,
    { limit }: CollectionBySlugQuery,
  ): Promise<PublicCollectionDto> {
    const found = await this.open(viewer, platformId, { slug }, limit);
    if (!found) throw new NotFoundError('There is no such collection.');
    return presentPublicCollection(found);
  }

  /** The collection whatever its platform: to people of another one as to a visitor. */
  async show(viewer: Viewer, id: number): Promise<PublicCollectionDto> {
    const platformId = await this.collections.platformOf(id);
    const found = platformId === null ? null : await this.open(viewer, platformId, { id });
    if (!found) throw new NotFoundError();
    return presentPublicCollection(found);
  }

  /**
   * Four statements, however many collections, contents and ads there are. What all of it takes is bounded: the texts
   * of the collections have half of that at most, ads a quarter, and contents what is left.
   */
  async onHomepage(
    caller: Viewer,
    platformId: number,
    query: PlatformCollectionsQuery,
  ): Promise<PlatformCollectionDto[]> {
    const platform = await this.platforms.embedded(platformId);
    if (!platform) return [];
    const viewer = viewerOn(platformId, caller);
    const each = Buffer.byteLength(JSON.stringify(platform)) + COLLECTION_BYTES;
    const half = this.answers.collections / 2;
    const collections = await this.collections.onHomepage(viewer, platformId, query, each, half);
    const ids = collections.rows.map(({ id }) => id);
    const ads = await this.ads.forCollections(viewer, platformId, ids, half / 2);
    const rest = this.answers.collections - collections.used - ads.used;
    const contents = await this.collections.contentsOf(viewer, ids, query, rest);
    const parts = [collections, ads, contents];
    this.answers.expect(parts.reduce((bytes, { used }) => bytes + used, 0));
    if (parts.some(({ used, wanted }) => used < wanted)) warn('cut');
    const contentsOf = Map.groupBy(contents.rows, (row) => row.CollectionId);
    return collections.rows.map((collection) => {
      const { id } = collection;
      return presentPlatformCollection(collection, contentsOf.get(id) ?? [], ads.of.get(id) ?? [], platform);
    });
  }

  async listPublic(platformId: number, query: PublicCollectionsQuery): Promise<Page<ListedCollectionDto>> {
    const { rows, total } = await this.answers.read((most) => this.lists.publicPage(platformId, query, most));
    return pageOf(rows.map(presentListedCollection), total, query);
  }

  async listForAdmin(caller: Caller, query: AdminCollectionsQuery): Promise<Page<AdminCollectionDto>> {
    const { rows, total } = await this.answers.read((most) => this.lists.adminPage(caller, query, most));
    return pageOf(rows.map(presentAdminCollection), total, query);
  }

  options({ platformId }: Caller): Promise<CollectionOptionDto[]> {
    return this.lists.options(platformId);
  }

  private open(
    viewer: Viewer,
    platformId: number,
    by: { id: number } | { slug: string },
    limit?: number,
  ): Promise<FilledCollection | null> {
    return this.answers.read(
      (most) => this.collections.open(viewerOn(platformId, viewer), platformId, by, most, limit),
      this.answers.collections,
    );
  }
}
