import type { NamedDto, TitledDto } from '#libs/http';
import { type AuthorRow, presentAuthor } from '../kernel/people/author.presenter';
import type { Content } from './content.entity';
import type { ListedContentDto } from './lists/dto/content-list.dto';
import type { ContentCardDto, ContentDto } from './dto/content.dto';

/** A content item as the repository's lists and reads answer it; the description of a locked one is its teaser. */
export type ContentRow = AuthorRow &
  Pick<
    Content,
    | 'id'
    | 'PlatformId'
    | 'UserId'
    | 'title'
    | 'slug'
    | 'description'
    | 'type'
    | 'visibility'
    | 'featuredImage'
    | 'video'
    | 'contentURI'
    | 'options'
    | 'chatEnabled'
    | 'featured'
    | 'publishedDate'
    | 'expireDate'
    | 'commentCount'
    | 'viewCount'
    | 'createdAt'
    | 'updatedAt'
  > & { groups: NamedDto[]; keywords: TitledDto[]; locked: boolean };

export const presentCard = (row: ContentRow): ContentCardDto => ({
  id: row.id,
  title: row.title,
  slug: row.slug,
  description: row.description,
  type: row.type,
  visibility: row.visibility,
  featuredImage: row.featuredImage,
  featured: row.featured,
  chatEnabled: row.chatEnabled,
  publishedDate: row.publishedDate,
  expireDate: row.expireDate,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  PlatformId: row.PlatformId,
  UserId: row.UserId,
  Groups: row.groups,
  Keywords: row.keywords,
  User: presentAuthor(row),
  commentCount: row.commentCount,
  viewCount: row.viewCount,
  locked: row.locked,
});

/** The whole item, or of a locked one its teaser: the card, and nothing to open. */
export const presentContent = (row: ContentRow): ContentDto => ({
  ...presentCard(row),
  contentURI: row.locked ? null : row.contentURI,
  video: row.locked ? null : row.video,
  options: row.locked ? null : row.options,
});

/** A card with what the viewer may do: of what they see, they read all that is not locked. */
export const presentListed = (row: ContentRow): ListedContentDto => ({
  ...presentCard(row),
  access: { canRead: !row.locked, locked: row.locked },
});
