import { sql } from '#libs/database';

/** The columns of a `CollectionRow`, over `collections l`. */
export const collectionColumns = sql`l.id, l."PlatformId", l."UserId", l.name, l.description, l.slug,
  l."collectionBGImage", l.position, l."publishedDate", l."expireDate", l."collectionType", l."sortPreference",
  l."showOnHomepage", l."createdAt", l."updatedAt"`;

/** What a `LinkedRow` has besides: its groups, and its items in manual order, whatever their state. */
export const linkedColumns = sql`,
  array(select cg."GroupId" from collection_groups cg where cg."CollectionId" = l.id order by 1) as "GroupIds",
  array(select cc."ContentId" from collection_contents cc join contents c on c.id = cc."ContentId"
         where cc."CollectionId" = l.id and c."deletedAt" is null order by cc.position) as "ContentIds"`;
