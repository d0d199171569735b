import { BIG } from './search-seed';

/** The collection that is measured: the first, which holds the newest of the platform's items. */
export const MEASURED = { slug: 'collection-1', holds: 200 };

/** For a database filled by `searchSeed`: collections of its big platform, each with 200 of its items. */
export const collectionsSeed = (collections: number): string[] => [
  `insert into collections ("PlatformId", "UserId", name, slug, position, "nameKey", "searchKey")
   select ${BIG}, 4, 'Collection ' || n, 'collection-' || n, n, 'collection ' || n, 'collection ' || n || ' collection-' || n
     from generate_series(1, ${collections}) n`,
  `insert into collection_contents ("PlatformId", "CollectionId", "ContentId", position)
   select ${BIG}, n, 1 + (n * 97 + k) % 9000, k
     from generate_series(1, ${collections}) n, generate_series(1, ${MEASURED.holds}) k
    where exists (select 1 from contents c where c.id = 1 + (n * 97 + k) % 9000 and c."PlatformId" = ${BIG})`,
];
