import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, ids, PlatformRepository, sql } from '#libs/database';
import { plainText, searchKey } from '#libs/text';
import { contentAccess, isRunning, type Look } from '../content/content.access';
import type { ContentRow } from '../content/content.presenter';
import { contentColumns } from '../content/content.sql';
import type { Viewer } from '../sessions/caller';
import { collectionOpen } from './collection.access';
import { Collection } from './collection.entity';
import type { PlatformCollectionsQuery } from './dto/list-collections.query';
import { orderByPreference } from './sort-preference';

@Injectable()
export class CollectionsRepository extends PlatformRepository<Collection> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Collection);
  }

  async add(
    collection: Partial<Collection> & Pick<Collection, 'PlatformId' | 'name' | 'slug'>,
  ): Promise<number> {
    const { id } = await this.insert({ ...collection, ...keysOf({ description: null, ...collection }) });
    return id;
  }

  async change(collection: Collection, changes: Partial<Collection>): Promise<void> {
    const { PlatformId, id } = collection;
    const { name = collection.name, slug = collection.slug, description = collection.description } = changes;
    await this.update(PlatformId, id, {
      ...changes,
      ...keysOf({ name, slug, description }),
      updatedAt: this.clock.now(),
    });
  }

  async replaceGroups({ PlatformId, id }: Collection, groupIds: number[]): Promise<void> {
    await this.db.execute(sql`
      delete from collection_groups where "CollectionId" = ${id} and "GroupId" <> all(${ids(groupIds)})`);
    await this.db.execute(sql`
      insert into collection_groups ("PlatformId", "CollectionId", "GroupId")
      select ${PlatformId}, ${id}, unnest(${ids(groupIds)}) on conflict do nothing`);
  }

  /** The order of the ids is the manual order; an id named twice stands where it was named first. */
  async replaceContents({ PlatformId, id }: Collection, contentIds: number[]): Promise<void> {
    await this.db.execute(sql`delete from collection_contents where "CollectionId" = ${id}`);
    await this.db.execute(sql`
      insert into collection_contents ("PlatformId", "CollectionId", "ContentId", position)
      select ${PlatformId}, ${id}, content, position
        from unnest(${ids(contentIds)}) with ordinality as listed (content, position)
       order by position on conflict do nothing`);
  }

  async linked(id: number): Promise<{ groupIds: number[]; contentIds: number[] }> {
    const row = await this.db.row<{ groupIds: number[]; contentIds: number[] }>(sql`
      select array(select "GroupId" from collection_groups where "CollectionId" = ${id} order by 1) as "groupIds",
             array(select cc."ContentId" from collection_contents cc join contents c on c.id = cc."ContentId"
                    where cc."CollectionId" = ${id} and c."deletedAt" is null order by cc.position) as "contentIds"`);
    return row ?? { groupIds: [], contentIds: [] };
  }

  /** The collections of a platform's homepage that are open to the viewer. */
  async onHomepage(
    viewer: Viewer,
    platformId: number,
    { showHidden, limit }: PlatformCollectionsQuery,
  ): Promise<Collection[]> {
    return this.db.rows(sql`
      select l.* from collections l
       where l."PlatformId" = ${platformId} and (l."showOnHomepage" or ${showHidden})
         and ${collectionOpen('l', viewer, this.clock.now())}
       order by l.position, l.id limit ${limit ?? null}::int`);
  }

  /**
   * What visitors find in the collections: readable items and teasers, in each collection's order. Hidden,
   * unpublished and expired items are left out for everybody, staff included.
   */
  async contentsFor(
    viewer: Viewer,
    collectionIds: number[],
    { showHidden, contentLimit }: Pick<PlatformCollectionsQuery, 'showHidden' | 'contentLimit'>,
  ): Promise<Map<number, ContentRow[]>> {
    const look: Look = { viewer, now: this.clock.now(), unlisted: showHidden };
    const access = contentAccess('c', look);
    const rows = await this.db.rows<ContentRow & { CollectionId: number }>(sql`
      select * from (
        select cc."CollectionId", row_number() over (
                 partition by cc."CollectionId" order by ${orderByPreference('l."sortPreference"')}) as place,
               ${contentColumns(look, access)}
          from collection_contents cc
          join collections l on l.id = cc."CollectionId"
          join contents c on c.id = cc."ContentId"
          join users u on u.id = c."UserId"
         where cc."CollectionId" = any(${ids(collectionIds)}) and ${access.visible}
           and (c.visibility <> 'hidden' or ${showHidden})
           and ${isRunning('c', look.now)}) listed
       where place <= ${contentLimit ?? null}::int or ${contentLimit ?? null}::int is null
       order by "CollectionId", place`);
    return Map.groupBy(rows, (row) => row.CollectionId);
  }
}

const keysOf = ({ name, slug, description }: Pick<Collection, 'name' | 'slug' | 'description'>) => ({
  nameKey: searchKey(name),
  searchKey: searchKey([name, slug, plainText(description ?? '')].join(' ')),
});
