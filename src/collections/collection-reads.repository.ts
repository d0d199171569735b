import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, firstFitting, fitting, ids, type Sized, sizedOf, type Sql, sql } from '#libs/database';
import type { ContentRow } from '../content/content.presenter';
import { contentColumns, contentSize } from '../content/content.sql';
import type { Viewer } from '../kernel/callers/caller';
import { type Besides, collectionOpen, itemsShown } from '../kernel/access/collection.access';
import type { CollectionRow, FilledCollection, LinkedRow } from './collection.presenter';
import { collectionColumns, linkedColumns } from './collection.sql';
import type { PlatformCollectionsQuery } from './dto/list-collections.query';
import { orderByPreference, spelledPreference } from './sort-preference';

type FilledRow<Row> = { [Column in keyof ContentRow]: ContentRow[Column] | null } & {
  collection: Row | null;
  contentTotal: number;
  /** What the collection takes, and what all of its items would. */
  wanted: number;
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
    most: number,
    limit?: number,
  ): Promise<(FilledCollection & { wanted: number }) | null> {
    const found = 'id' in by ? sql`l.id = ${by.id}` : sql`l.slug = ${by.slug}`;
    const open = collectionOpen('l', viewer, this.clock.now());
    return this.filled(viewer, platformId, sql`${found} and ${open}`, NOTHING, sql``, most, limit);
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
    most: number,
  ): Promise<(FilledCollection<LinkedRow> & { wanted: number }) | null> {
    const open = manages ? sql`true` : collectionOpen('l', viewer, this.clock.now());
    const by = sql`l.id = ${id} and ${open}`;
    return this.filled<LinkedRow>(viewer, viewer.platformId, by, besides, linkedColumns, most);
  }

  /**
   * The collections of a platform's homepage that are open to the viewer.
   * @param each what every one of them takes in the answer besides its own texts
   */
  async onHomepage(
    viewer: Viewer,
    platformId: number,
    { showHidden, limit }: PlatformCollectionsQuery,
    each: number,
    most: number,
  ): Promise<Sized<CollectionRow>> {
    const collections = sql`
      select ${collectionColumns}, l.bytes + ${each}::int as size from collections l
       where l."PlatformId" = ${platformId} and (l."showOnHomepage" or ${showHidden})
         and ${collectionOpen('l', viewer, this.clock.now())}
       order by l.position, l.id limit ${limit ?? null}::int`;
    return sizedOf(await this.db.rows(firstFitting(collections, most)));
  }

  /** What the viewer finds in each of the collections, of each the same number where not all fits. */
  async contentsOf(
    viewer: Viewer,
    collectionIds: number[],
    { showHidden, contentLimit }: PlatformCollectionsQuery,
    most: number,
  ): Promise<Sized<ContentRow & { CollectionId: number }>> {
    const now = this.clock.now();
    const { look, access, shown } = itemsShown(viewer, now, { hidden: showHidden, future: false });
    const limit = sql`${contentLimit ?? null}::int`;
    const picked = sql`
      select p."CollectionId", p.id, p.place, p.size
        from (select cc."CollectionId", c.id, ${contentSize(access)} as size, row_number() over (
                       partition by cc."CollectionId" order by ${orderByPreference('l.preference', now)}) as place
                from (select l.id, ${spelledPreference('l."sortPreference"')} as preference
                        from collections l where l.id = any(${ids(collectionIds)}) offset 0) l
                join collection_contents cc on cc."CollectionId" = l.id
                join contents c on c.id = cc."ContentId"
               where ${shown}) p
       where p.place <= ${limit} or ${limit} is null`;
    return sizedOf(
      await this.db.preparedRows(sql`
        select p."CollectionId", p.used, p.wanted, ${contentColumns(look, access)}
          from (${fitting(picked, most)}) p
          join contents c on c.id = p.id
          join users u on u.id = c."UserId"
         order by p.place`),
    );
  }

  /**
   * A collection and its contents in one statement: a row for each item, or one row without an item. The
   * collection comes with the first row only, lest its texts are sent with every item. First the items are picked,
   * by little of them; what an answer shows of an item is read for those that stay and fit.
   */
  private async filled<Row extends CollectionRow>(
    viewer: Viewer,
    platformId: number,
    by: Sql,
    besides: Besides,
    more: Sql,
    most: number,
    limit?: number,
  ): Promise<(FilledCollection<Row> & { wanted: number }) | null> {
    const now = this.clock.now();
    const { look, access, shown } = itemsShown(viewer, now, besides);
    const order = orderByPreference('l.preference', now);
    const picked = sql`
      select c.id, row_number() over (order by ${order}) as place, (count(*) over ())::int as "contentTotal",
             ${contentSize(access)} as size
        from collection_contents cc join contents c on c.id = cc."ContentId"
       where cc."CollectionId" = l.id and ${shown}
       order by place limit ${limit ?? null}::int`;
    const found = await this.db.preparedRows<FilledRow<Row>>(sql`
      select case when coalesce(p.place, 1) = 1 then to_json(l) end as collection,
             coalesce(p."contentTotal", 0) as "contentTotal", l.bytes + coalesce(p.wanted, 0) as wanted,
             ${contentColumns(look, access)}
        from (select ${collectionColumns} ${more}, l.bytes, ${spelledPreference('l."sortPreference"')} as preference
                from collections l where l."PlatformId" = ${platformId} and ${by} offset 0) l
        left join lateral (${fitting(picked, sql`${most}::int - l.bytes`)}) p on true
        left join contents c on c.id = p.id
        left join users u on u.id = c."UserId"
       order by p.place`);
    const [head] = found;
    if (!head?.collection) return null;
    return {
      collection: withInstants(head.collection),
      contents: found.filter((row): row is FilledRow<Row> & ContentRow => row.id !== null),
      contentTotal: head.contentTotal,
      wanted: head.wanted,
    };
  }
}

const NOTHING: Besides = { hidden: false, future: false };

/** JSON spells instants as text. */
function withInstants<Row extends CollectionRow>(row: Row): Row {
  const instants = INSTANTS.map((name) => [name, row[name] && new Date(row[name])]);
  return { ...row, ...Object.fromEntries(instants) } as Row;
}
