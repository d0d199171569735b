import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, ids, type Sql, sql } from '#libs/database';
import type { ContentRow } from '../content/content.presenter';
import { contentColumns } from '../content/content.sql';
import type { Viewer } from '../sessions/caller';
import { type Besides, collectionOpen, itemsShown } from './collection.access';
import type { CollectionRow, FilledCollection, LinkedRow } from './collection.presenter';
import { collectionColumns, linkedColumns } from './collection.sql';
import type { PlatformCollectionsQuery } from './dto/list-collections.query';
import { orderByPreference, spelledPreference } from './sort-preference';

type FilledRow<Row> = { [Column in keyof ContentRow]: ContentRow[Column] | null } & {
  collection: Row | null;
  contentTotal: number;
};

const INSTANTS = ['publishedDate', 'expireDate', 'createdAt', 'updatedAt'] as const;

/** Collections with their contents, in each collection's order. */
@Injectable()
export class CollectionReadsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async platformOf(id: number): Promise<number | null> {
    const row = await this.db.row<{ PlatformId: number }>(
      sql`select "PlatformId" from collections where id = ${id}`,
    );
    return row?.PlatformId ?? null;
  }

  /** A collection that is open to the viewer, with what everybody finds in it. */
  async open(
    viewer: Viewer,
    platformId: number,
    by: { id: number } | { slug: string },
    limit?: number,
  ): Promise<FilledCollection | null> {
    const found = 'id' in by ? sql`l.id = ${by.id}` : sql`l.slug = ${by.slug}`;
    const open = collectionOpen('l', viewer, this.clock.now());
    return this.filled(viewer, platformId, sql`${found} and ${open}`, NOTHING, sql``, limit);
  }

  /**
   * A collection of the viewer's platform with its links.
   * @param manages whether they see it even while it is unpublished, expired or gated
   */
  async withLinks(
    viewer: NonNullable<Viewer>,
    id: number,
    manages: boolean,
    besides: Besides,
  ): Promise<FilledCollection<LinkedRow> | null> {
    const open = manages ? sql`true` : collectionOpen('l', viewer, this.clock.now());
    const by = sql`l.id = ${id} and ${open}`;
    return this.filled<LinkedRow>(viewer, viewer.platformId, by, besides, linkedColumns);
  }

  /** The collections of a platform's homepage that are open to the viewer. */
  async onHomepage(
    viewer: Viewer,
    platformId: number,
    { showHidden, limit }: PlatformCollectionsQuery,
  ): Promise<CollectionRow[]> {
    return this.db.rows(sql`
      select ${collectionColumns} from collections l
       where l."PlatformId" = ${platformId} and (l."showOnHomepage" or ${showHidden})
         and ${collectionOpen('l', viewer, this.clock.now())}
       order by l.position, l.id limit ${limit ?? null}::int`);
  }

  /** What the viewer finds in each of the collections. */
  async contentsOf(
    viewer: Viewer,
    collectionIds: number[],
    { showHidden, contentLimit }: PlatformCollectionsQuery,
  ): Promise<Map<number, ContentRow[]>> {
    const now = this.clock.now();
    const { look, access, shown } = itemsShown(viewer, now, { hidden: showHidden, future: false });
    const most = sql`${contentLimit ?? null}::int`;
    const rows = await this.db.preparedRows<ContentRow & { CollectionId: number }>(sql`
      select p."CollectionId", ${contentColumns(look, access)}
        from (select cc."CollectionId", c.id, row_number() over (
                       partition by cc."CollectionId" order by ${orderByPreference('l.preference', now)}) as place
                from (select l.id, ${spelledPreference('l."sortPreference"')} as preference
                        from collections l where l.id = any(${ids(collectionIds)}) offset 0) l
                join collection_contents cc on cc."CollectionId" = l.id
                join contents c on c.id = cc."ContentId"
               where ${shown}) p
        join contents c on c.id = p.id
        join users u on u.id = c."UserId"
       where p.place <= ${most} or ${most} is null
       order by p."CollectionId", p.place`);
    return Map.groupBy(rows, (row) => row.CollectionId);
  }

  /**
   * A collection and its contents in one statement: a row for each item, or one row without an item. The
   * collection comes with the first row only, lest its texts are sent with every item. First the items are picked,
   * by little of them; what an answer shows of an item is read for those that stay.
   */
  private async filled<Row extends CollectionRow>(
    viewer: Viewer,
    platformId: number,
    by: Sql,
    besides: Besides,
    more: Sql,
    limit?: number,
  ): Promise<FilledCollection<Row> | null> {
    const now = this.clock.now();
    const { look, access, shown } = itemsShown(viewer, now, besides);
    const order = orderByPreference('l.preference', now);
    const found = await this.db.preparedRows<FilledRow<Row>>(sql`
      select case when coalesce(p.place, 1) = 1 then to_json(l) end as collection,
             coalesce(p."contentTotal", 0) as "contentTotal", ${contentColumns(look, access)}
        from (select ${collectionColumns} ${more}, ${spelledPreference('l."sortPreference"')} as preference
                from collections l where l."PlatformId" = ${platformId} and ${by} offset 0) l
        left join lateral (
          select c.id, row_number() over (order by ${order}) as place, (count(*) over ())::int as "contentTotal"
            from collection_contents cc join contents c on c.id = cc."ContentId"
           where cc."CollectionId" = l.id and ${shown}
           order by place limit ${limit ?? null}::int) p on true
        left join contents c on c.id = p.id
        left join users u on u.id = c."UserId"
       order by p.place`);
    const [head] = found;
    if (!head?.collection) return null;
    return {
      collection: withInstants(head.collection),
      contents: found.filter((row): row is FilledRow<Row> & ContentRow => row.id !== null),
      contentTotal: head.contentTotal,
    };
  }
}

const NOTHING: Besides = { hidden: false, future: false };

/** JSON spells instants as text. */
function withInstants<Row extends CollectionRow>(row: Row): Row {
  const instants = INSTANTS.map((name) => [name, row[name] && new Date(row[name])]);
  return { ...row, ...Object.fromEntries(instants) } as Row;
}
