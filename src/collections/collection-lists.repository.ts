import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  equals,
  firstFitting,
  orderBy,
  raw,
  type SizedRows,
  type Sql,
  sql,
} from '#libs/database';
import { offsetOf } from '#libs/http';
import { type Caller, isAdmin } from '../kernel/callers/caller';
import { collectionOpen, itemsShown } from '../kernel/access/collection.access';
import type { Collection } from './collection.entity';
import type { CountedRow, LinkedRow } from './collection.presenter';
import { collectionColumns, linkedColumns } from './collection.sql';
import type { AdminCollectionsQuery, PublicCollectionsQuery } from './dto/list-collections.query';

const ORDERS = {
  id: 'l.id',
  position: 'l.position',
  name: 'l."nameKey" collate "C"',
  createdAt: 'l."createdAt"',
  updatedAt: 'l."updatedAt"',
  publishedDate: 'coalesce(l."publishedDate", l."createdAt")',
};

/** Collections without their contents: pages for the dashboard and for visitors, and what to choose from. */
@Injectable()
export class CollectionListsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Of all states: for admins those of the platform, for creators their own. */
  async adminPage(caller: Caller, query: AdminCollectionsQuery, most: number): Promise<SizedRows<LinkedRow>> {
    const { published } = query.filters ?? {};
    const now = this.clock.now();
    const own = isAdmin(caller) ? sql`true` : sql`l."UserId" = ${caller.userId}`;
    const isPublished = sql`(l."publishedDate" is null or l."publishedDate" <= ${now})`;
    const listed = sql`l."PlatformId" = ${caller.platformId} and ${own} and ${asked(query)}
      and ${published === undefined ? sql`true` : sql`${isPublished} = ${published}`}`;
    return this.page(listed, linkedColumns, query, most);
  }

  /** Those of the homepage, each with the number of items that an anonymous visitor finds in it. */
  async publicPage(
    platformId: number,
    query: PublicCollectionsQuery,
    most: number,
  ): Promise<SizedRows<CountedRow>> {
    const now = this.clock.now();
    const { shown } = itemsShown(null, now, { hidden: false, future: false });
    const listed = sql`l."PlatformId" = ${platformId} and l."showOnHomepage"
      and ${collectionOpen('l', null, now)} and ${asked(query)}`;
    const counted = sql`, (select count(*)::int from collection_contents cc
      join contents c on c.id = cc."ContentId" where cc."CollectionId" = l.id and ${shown}) as "contentTotal"`;
    return this.page(listed, counted, query, most);
  }

  async options(platformId: number): Promise<Pick<Collection, 'id' | 'name' | 'UserId'>[]> {
    return this.db.rows(sql`
      select id, name, "UserId" from collections where "PlatformId" = ${platformId} order by position, id`);
  }

  private async page<Row>(
    listed: Sql,
    more: Sql,
    query: PublicCollectionsQuery,
    most: number,
  ): Promise<SizedRows<Row>> {
    const page = sql`
      select ${collectionColumns} ${more}, l.bytes + 1000 as size from collections l where ${listed}
       order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`;
    return this.db.sizedPage(firstFitting(page, most), sql`from collections l where ${listed}`);
  }
}

/** What the search term and the filters of both lists ask for. */
function asked({ searchTerm, filters = {} }: PublicCollectionsQuery): Sql {
  const { collectionType, showOnHomepage, UserId } = filters;
  return sql`${containsWords(raw('l."searchKey"'), searchTerm)}
    and ${equals('l."collectionType"', collectionType)} and ${equals('l."showOnHomepage"', showOnHomepage)}
    and ${equals('l."UserId"', UserId)}`;
}
