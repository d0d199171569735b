import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, ids, type LinkTable, PlatformRepository, sql } from '#libs/database';
import { plainText } from '#libs/markup';
import { searchKey } from '#libs/text';
import { Collection } from './collection.entity';

const GROUPS: LinkTable = { table: 'collection_groups', own: 'CollectionId', linked: 'GroupId' };

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
    const same =
      name === collection.name && slug === collection.slug && description === collection.description;
    await this.update(PlatformId, id, {
      ...changes,
      ...(!same && keysOf({ name, slug, description })),
      updatedAt: this.clock.now(),
    });
  }

  async replaceGroups(collection: Collection, groupIds: number[]): Promise<void> {
    await this.replaceLinked(GROUPS, collection, groupIds);
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

  /** As `find`, and locks the row until the transaction ends. */
  async findLocked(PlatformId: number, id: number): Promise<Collection | null> {
    return this.db.manager.findOne(Collection, {
      where: { PlatformId, id },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Those of the ids that are collections of the platform, with their owners. */
  async owners(platformId: number, wanted: number[]): Promise<Pick<Collection, 'id' | 'UserId'>[]> {
    return this.db.rows(sql`
      select id, "UserId" from collections where "PlatformId" = ${platformId} and id = any(${ids(wanted)})`);
  }

  async remove({ PlatformId, id }: Collection): Promise<void> {
    await this.db.execute(sql`delete from collections where "PlatformId" = ${PlatformId} and id = ${id}`);
  }
}

const keysOf = ({ name, slug, description }: Pick<Collection, 'name' | 'slug' | 'description'>) => ({
  nameKey: searchKey(name),
  searchKey: searchKey([name, slug, plainText(description ?? '')].join(' ')),
});
