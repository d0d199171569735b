import type { PublicAdDto } from '../ads/dto/ad.dto';
import { presentContent, type ContentRow } from '../content/content.presenter';
import type { PlatformDto } from '../platforms/dto/platform.dto';
import type { Collection } from './collection.entity';
import type { CollectionDto, PlatformCollectionDto } from './dto/collection.dto';

const fields = (collection: Collection) => ({
  id: collection.id,
  name: collection.name,
  description: collection.description,
  slug: collection.slug,
  collectionBGImage: collection.collectionBGImage,
  position: collection.position,
  expireDate: collection.expireDate,
  publishedDate: collection.publishedDate,
  collectionType: collection.collectionType,
  sortPreference: collection.sortPreference,
  showOnHomepage: collection.showOnHomepage,
  PlatformId: collection.PlatformId,
  UserId: collection.UserId,
  createdAt: collection.createdAt,
  updatedAt: collection.updatedAt,
});

interface Linked {
  groupIds: number[];
  contentIds: number[];
}

export const presentCollection = (
  collection: Collection,
  { groupIds, contentIds }: Linked,
  contents: ContentRow[],
): CollectionDto => ({
  ...fields(collection),
  GroupIds: groupIds,
  ContentIds: contentIds,
  Contents: contents.map(presentContent),
  contentTotal: contents.length,
});

export const presentPlatformCollection = (
  collection: Collection,
  contents: ContentRow[],
  ads: PublicAdDto[],
  platform: PlatformDto,
): PlatformCollectionDto => ({
  ...fields(collection),
  Contents: contents.map(presentContent),
  Platform: platform,
  Ads: ads,
});
