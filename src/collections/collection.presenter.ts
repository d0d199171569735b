import type { PublicAdDto } from '../ads/dto/ad.dto';
import type { PlatformDto } from '../platforms/dto/platform.dto';
import { type ContentRow, presentContent } from '../content/content.presenter';
import type { Collection } from './collection.entity';
import type {
  AdminCollectionDto,
  CollectionDto,
  CollectionFieldsDto,
  ListedCollectionDto,
  PlatformCollectionDto,
  PublicCollectionDto,
} from './dto/collection.dto';

/** A collection as the repositories' lists and reads answer it. */
export type CollectionRow = Omit<Collection, 'nameKey' | 'searchKey' | 'gateClosed' | 'bytes'>;
/** With what it refers to. */
export type LinkedRow = CollectionRow & { GroupIds: number[]; ContentIds: number[] };
export type CountedRow = CollectionRow & { contentTotal: number };

/** A collection with what the viewer finds in it; `contentTotal` counts beyond the limit. */
export interface FilledCollection<Row = CollectionRow> {
  collection: Row;
  contents: ContentRow[];
  contentTotal: number;
}

const fields = (collection: CollectionRow): CollectionFieldsDto => ({
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

/** As visitors find it. */
export const presentPublicCollection = ({
  collection,
  contents,
  contentTotal,
}: FilledCollection): PublicCollectionDto => ({
  ...fields(collection),
  Contents: contents.map(presentContent),
  contentTotal,
});

/** With its links for those who may see them. */
export const presentCollection = (
  filled: FilledCollection<LinkedRow>,
  showsLinks: boolean,
): CollectionDto => ({
  ...presentPublicCollection(filled),
  ...(showsLinks && links(filled.collection)),
});

const links = ({ GroupIds, ContentIds }: LinkedRow) => ({ GroupIds, ContentIds });

export const presentAdminCollection = (row: LinkedRow): AdminCollectionDto => ({
  ...fields(row),
  ...links(row),
  contentTotal: row.ContentIds.length,
});

export const presentListedCollection = (row: CountedRow): ListedCollectionDto => ({
  ...fields(row),
  contentTotal: row.contentTotal,
});

export const presentPlatformCollection = (
  collection: CollectionRow,
  contents: ContentRow[],
  ads: PublicAdDto[],
  platform: PlatformDto,
): PlatformCollectionDto => ({
  ...fields(collection),
  Contents: contents.map(presentContent),
  Platform: platform,
  Ads: ads,
});
