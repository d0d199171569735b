import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  equals,
  fitting,
  ids,
  type LinkTable,
  orderBy,
  type PageRows,
  PlatformRepository,
  raw,
  type Sized,
  sizedOf,
  type Sql,
  sql,
} from '#libs/database';
import { offsetOf } from '#libs/http';
import { searchKey } from '#libs/text';
import { collectionOpen } from '../kernel/access/collection.access';
import type { Viewer } from '../kernel/callers/caller';
import { Ad } from './ad.entity';
import type { AdRow, PublicAdRow } from './ad.presenter';
import { AD_ORDER, AD_SIZE, adColumns, adRuns, onEveryCollection, publicAdColumns } from './ad.sql';
import type { AdEvent } from './ad-terms';
import type { AdminAdsQuery, ListAdsQuery } from './dto/list-ads.query';

const ORDERS = {
  id: 'a.id',
  priority: 'a.priority',
  createdAt: 'a."createdAt"',
  title: 'a."titleKey" collate "C"',
  startDate: 'a."startDate"',
  impressions: 'a.impressions',
  clicks: 'a.clicks',
};

const COLLECTIONS: LinkTable = { table: 'ad_collections', own: 'AdId', linked: 'CollectionId' };

/** Ads on one collection, at most. */
const ON_A_COLLECTION = 50;

/** Longer than any token lives. */
const EVENT_HOURS = 48;
/** More than one event adds, so that what is old goes sooner than new comes. */
const PRUNED_AT_ONCE = 20;

@Injectable()
export class AdsRepository extends PlatformRepository<Ad> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Ad);
  }

  async add(ad: Partial<Ad> & Pick<Ad, 'PlatformId' | 'UserId' | 'title'>): Promise<number> {
    const { id } = await this.insert({ ...ad, titleKey: searchKey(ad.title) });
    return id;
  }

  async change({ PlatformId, id }: Ad, changes: Partial<Ad>): Promise<void> {
    const { title } = changes;
    await this.update(PlatformId, id, {
      ...changes,
      titleKey: title === undefined ? undefined : searchKey(title),
      updatedAt: this.clock.now(),
    });
  }

  async remove(id: number): Promise<void> {
    await this.db.execute(sql`delete from ads where id = ${id}`);
  }

  /** Which of the ids are no collections of the platform. */
  unknownCollections(platformId: number, collectionIds: number[]): Promise<number[]> {
    return this.unknownIn('collections', platformId, collectionIds);
  }

  async replaceCollections(PlatformId: number, id: number, collectionIds: number[]): Promise<void> {
    await this.replaceLinked(COLLECTIONS, { PlatformId, id }, collectionIds);
  }

  /** The ad with its collections, as those who manage it see it. */
  async row(id: number): Promise<AdRow> {
    const [row] = await this.db.rows<AdRow>(sql`select ${adColumns} from ads a where a.id = ${id}`);
    return row as AdRow;
  }

  /** The ads that run now for the viewer, the most important first. */
  async running(
    viewer: Viewer,
    platformId: number,
    { placement, CollectionId, limit }: ListAdsQuery,
  ): Promise<PublicAdRow[]> {
    const now = this.clock.now();
    const open = sql`l."PlatformId" = ${platformId} and ${collectionOpen('l', viewer, now)}`;
    const ownCollections = sql`select 1 from ad_collections p join collections l on l.id = p."CollectionId"
      where p."AdId" = a.id and ${open}`;
    // A collection that the viewer may not see is as good as none, and so is an ad that is for such ones only.
    const there =
      CollectionId === undefined
        ? sql`(a.placement <> 'collection' or not a."onlyCollections" or exists (${ownCollections}))`
        : sql`(exists (${ownCollections} and l.id = ${CollectionId})
            or (${onEveryCollection} and exists (select 1 from collections l where l.id = ${CollectionId} and ${open})))`;
    return this.db.rows(sql`
      select ${publicAdColumns} from ads a
       where a."PlatformId" = ${platformId} and ${adRuns(viewer, now)} and ${there}
         and ${equals('a.placement', placement)}
       order by ${AD_ORDER} limit ${limit}`);
  }

  /** The ads that run now for the viewer on each of the collections, which they may see. */
  async onCollections(
    viewer: Viewer,
    platformId: number,
    collectionIds: number[],
    most: number,
  ): Promise<Sized<PublicAdRow & { CollectionId: number }>> {
    const ads = sql`
      with a as materialized (
             select a.*, row_number() over (order by ${AD_ORDER}) as rank from ads a
              where a."PlatformId" = ${platformId} and ${adRuns(viewer, this.clock.now())}),
           placed as (
             select p."CollectionId", a.id, a.rank from ad_collections p join a on a.id = p."AdId"
              where p."CollectionId" = any(${ids(collectionIds)})
              union
             select w.id, a.id, a.rank from unnest(${ids(collectionIds)}) as w (id) cross join a
              where ${onEveryCollection}),
           ranked as (
             select *, row_number() over (partition by "CollectionId" order by rank) as place from placed)
      select r."CollectionId", r.place, ${AD_SIZE} as size, ${publicAdColumns} from ranked r join a on a.id = r.id
       where r.place <= ${ON_A_COLLECTION}`;
    return sizedOf(await this.db.rows(sql`${fitting(ads, most)} order by r.place`));
  }

  /** @param owner whose ads; null is everyone's */
  async page(platformId: number, owner: number | null, query: AdminAdsQuery): Promise<PageRows<AdRow>> {
    const listed = sql`a."PlatformId" = ${platformId} and (a."UserId" = ${owner}::int or ${owner}::int is null)
      and ${containsWords(raw('a."titleKey"'), query.searchTerm)} and ${filtered(query.filters)}`;
    return this.db.page(
      sql`
      select ${adColumns} from ads a where ${listed}
       order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`,
      sql`from ads a where ${listed}`,
    );
  }

  /**
   * Counts an event unless its nonce was counted before; null when the ad is gone. All in one statement, and so
   * in one transaction: calls for one ad take turns, and of equal ones the first adds. Each call also
   * takes away a few events that are too old to be repeated, so that the table holds two days of them.
   */
  async count(id: number, nonce: string, kind: AdEvent): Promise<Pick<Ad, 'linkUrl'> | null> {
    const now = this.clock.now();
    const old = new Date(now.getTime() - EVENT_HOURS * 3_600_000);
    const counter = raw(kind === 'click' ? 'clicks' : 'impressions');
    const row = await this.db.row<Pick<Ad, 'linkUrl'>>(sql`
      with found as (select id, "PlatformId", "linkUrl" from ads where id = ${id} for no key update),
           event as (
             insert into ad_events ("PlatformId", "AdId", nonce, kind, "createdAt")
             select "PlatformId", id, ${nonce}::text, ${kind}::text, ${now}::timestamptz from found
                 on conflict do nothing returning "AdId"),
           counted as (
             update ads a set ${counter} = a.${counter} + 1 from event where a.id = event."AdId"),
           pruned as (
             delete from ad_events where (nonce, kind) in (
               select nonce, kind from ad_events where "createdAt" < ${old}
                order by "createdAt" limit ${PRUNED_AT_ONCE} for update skip locked))
      select "linkUrl" from found`);
    return row ?? null;
  }
}

function filtered({ placement, status, UserId }: NonNullable<AdminAdsQuery['filters']> = {}): Sql {
  return sql`${equals('a.placement', placement)} and ${equals('a.status', status)}
    and ${equals('a."UserId"', UserId)}`;
}
