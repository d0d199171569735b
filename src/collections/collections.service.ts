import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ForbiddenError, refuseUnknownIds } from '#libs/errors';
import { type AddedOrEdited, required } from '#libs/http';
import { sanitizeArticle, slugify } from '#libs/text';
import { refuseReversedDates, runningTime } from '#libs/time';
import { AdsService } from '../ads/ads.service';
import { ContentService } from '../content/content.service';
import { GroupsService } from '../groups/groups.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isAdmin, isStaff, type Viewer, viewerOn } from '../sessions/caller';
import { UsersService } from '../users/users.service';
import type { Collection } from './collection.entity';
import { presentCollection, presentPlatformCollection } from './collection.presenter';
import { CollectionsRepository } from './collections.repository';
import type { CollectionDto, PlatformCollectionDto } from './dto/collection.dto';
import type { PlatformCollectionsQuery } from './dto/list-collections.query';
import type { SaveCollectionDto } from './dto/save-collection.dto';

/** Leaves room for -2, -3… within the 120 that a slug may have. */
const SLUG_LENGTH = 114;

@Injectable()
export class CollectionsService {
  constructor(
    private readonly db: Database,
    private readonly collections: CollectionsRepository,
    private readonly contents: ContentService,
    private readonly groups: GroupsService,
    private readonly platforms: PlatformsService,
    private readonly users: UsersService,
    private readonly ads: AdsService,
  ) {}

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
    const contents = await this.collections.contentsFor(viewer, ids, query);
    const ads = await this.ads.forCollections(viewer, platformId, ids);
    return collections.map((collection) => {
      const { id } = collection;
      return presentPlatformCollection(collection, contents.get(id) ?? [], ads.get(id) ?? [], platform);
    });
  }

  async save(caller: Caller, dto: SaveCollectionDto): Promise<AddedOrEdited<CollectionDto>> {
    if (!isStaff(caller)) throw new ForbiddenError('Only admins and creators change collections.');
    if (dto.PlatformId !== undefined && dto.PlatformId !== caller.platformId) {
      throw new ForbiddenError('This is not your platform.');
    }
    return this.db.transaction(async () => {
      const id = dto.id == null ? await this.add(caller, dto) : await this.edit(caller, dto.id, dto);
      const collection = await this.collections.get(caller.platformId, id);
      await this.replaceLinks(caller, collection, dto);
      return [await this.present(caller, collection), dto.id == null];
    });
  }

  private async add(caller: Caller, dto: SaveCollectionDto): Promise<number> {
    const { name } = required(dto, 'name');
    const PlatformId = caller.platformId;
    const slug =
      dto.slug ?? (await this.collections.freeSlug(PlatformId, slugify(name, SLUG_LENGTH) || 'collection'));
    const position = dto.position ?? (await this.collections.nextPosition(PlatformId));
    const UserId = await this.owner(caller, dto.UserId ?? caller.userId);
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields);
    return this.collections.add({ ...fields, name, slug, position, PlatformId, UserId });
  }

  private async edit(caller: Caller, id: number, dto: SaveCollectionDto): Promise<number> {
    const collection = await this.lock(caller, id);
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields, collection);
    await this.collections.change(collection, {
      ...fields,
      name: dto.name,
      slug: dto.slug,
      position: dto.position,
      UserId: dto.UserId === undefined ? undefined : await this.owner(caller, dto.UserId),
      gateClosed: dto.GroupIds === undefined ? undefined : false,
    });
    return id;
  }

  /** The published interface answers 403, not 404, for collections that are not the caller's to change. */
  private async lock(caller: Caller, id: number): Promise<Collection> {
    const found = await this.collections.find(caller.platformId, id);
    if (!found || !(isAdmin(caller) || found.UserId === caller.userId)) {
      throw new ForbiddenError('This collection is not yours to change.');
    }
    return this.collections.lock(caller.platformId, id);
  }

  private async fields(caller: Caller, dto: SaveCollectionDto): Promise<Partial<Collection>> {
    return {
      ...runningTime(dto, await this.platforms.timezone(caller.platformId)),
      description: dto.description == null ? dto.description : sanitizeArticle(dto.description),
      collectionBGImage: dto.collectionBGImage,
      collectionType: dto.collectionType,
      sortPreference: dto.sortPreference,
      showOnHomepage: dto.showOnHomepage,
    };
  }

  private async owner(caller: Caller, userId: number): Promise<number> {
    if (userId === caller.userId) return userId;
    if (!isAdmin(caller)) throw new ForbiddenError('Only admins name another owner.');
    refuseUnknownIds({ UserId: await this.users.unknownIds(caller.platformId, [userId]) });
    return userId;
  }

  private async replaceLinks(caller: Caller, collection: Collection, dto: SaveCollectionDto): Promise<void> {
    const { GroupIds, ContentIds } = dto;
    refuseUnknownIds({
      GroupIds: await this.groups.unknownIds(caller.platformId, GroupIds ?? []),
      ContentIds: await this.contents.unknownIds(caller.platformId, ContentIds ?? []),
    });
    if (GroupIds) await this.collections.replaceGroups(collection, GroupIds);
    if (ContentIds) await this.collections.replaceContents(collection, ContentIds);
  }

  private async present(caller: Caller, collection: Collection): Promise<CollectionDto> {
    const contents = await this.collections.contentsFor(caller, [collection.id], { showHidden: true });
    return presentCollection(
      collection,
      await this.collections.linked(collection.id),
      contents.get(collection.id) ?? [],
    );
  }
}
