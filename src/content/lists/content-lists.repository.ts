import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  containsWords,
  Database,
  equals,
  orderBy,
  raw,
  type Fitted,
  type Sized,
  sizedOf,
  type SizedRows,
  type Sql,
  sql,
} from '#libs/database';
import { offsetOf } from '#libs/http';
import { isStaff, type Viewer, viewerOn } from '../../kernel/callers/caller';
import { contentAccess, isRunning, type Look } from '../../kernel/access/content.access';
import type { ContentRow } from '../content.presenter';
import { contentColumns, contentSize, firstFittingContents, inGroup, joinRanks } from '../content.sql';
import type { ContentFilters, ListContentsQuery } from './dto/list-contents.query';

/** An index holds each of these orders, so that a page is read from it and nothing is sorted. */
const ORDERS = {
  id: 'c.id',
  publishedDate: 'coalesce(c."publishedDate", c."createdAt")',
  createdAt: 'c."createdAt"',
  title: 'c."titleKey" collate "C"',
  views: 'k.views',
  comments: 'k.comments',
};

@Injectable()
export class ContentListsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async page(
    viewer: Viewer,
    platformId: number,
    query: ListContentsQuery,
    most: number,
  ): Promise<SizedRows<ContentRow>> {
    const look = this.look(viewer, platformId);
    const access = contentAccess('c', look);
    const listed = sql`c."PlatformId" = ${platformId} and ${access.visible}
      and ${containsWords(raw('c."titleKey"'), query.searchTerm)} and ${filtered(query.filters, look)}`;
    const order = orderBy(query.sort, ORDERS);
    const ranks = order.sql.startsWith('k.') ? joinRanks(platformId) : sql``;
    // What is far from the first page is counted past, not read with all that belongs to it.
    const page = sql`
      select c.id, ${contentSize(access)} as size from contents c ${ranks} where ${listed}
       order by ${order} limit ${query.itemsPerPage} offset ${offsetOf(query)}`;
    return this.db.sizedPage(
      firstFittingContents(page, most, contentColumns(look, access)),
      sql`from contents c where ${listed}`,
    );
  }

  /** What shares keywords with the item of this platform, most of them first, then the newest. */
  async related(
    viewer: Viewer,
    platformId: number,
    id: number,
    limit: number,
    most: number,
  ): Promise<Sized<ContentRow>> {
    const look = this.look(viewer, platformId);
    const access = contentAccess('c', look);
    const related = sql`
      select c.id, ${contentSize(access)} as size
        from (select other."ContentId" as id, count(*) as shared
                from content_keywords own join content_keywords other on other."KeywordId" = own."KeywordId"
               where own."ContentId" = ${id} and other."ContentId" <> ${id} group by 1) sharing
        join contents c on c.id = sharing.id
       where c."PlatformId" = ${platformId} and ${access.visible}
       order by sharing.shared desc, ${raw(ORDERS.publishedDate)} desc, c.id desc limit ${limit}`;
    return sizedOf(
      await this.db.rows<ContentRow & Fitted>(
        firstFittingContents(related, most, contentColumns(look, access)),
      ),
    );
  }

  private look(viewer: Viewer, platformId: number): Look {
    return { viewer: viewerOn(platformId, viewer), now: this.clock.now(), unlisted: false };
  }
}

/** Staff, who may read all, see what is running unless they ask for more; to others the access rule says. */
function filtered(filters: ContentFilters = {}, look: Look): Sql {
  const { type, visibility, GroupId, KeywordId, UserId, featured } = filters;
  const { published = isStaff(look.viewer) ? 'true' : 'all' } = filters;
  const running = isRunning('c', look.now);
  const withKeyword = sql`exists (
    select 1 from content_keywords ck where ck."ContentId" = c.id and ck."KeywordId" = ${KeywordId})`;
  return sql`${equals('c.type', type)} and ${equals('c.visibility', visibility)} and ${equals('c."UserId"', UserId)}
    and ${equals('c.featured', featured)} and ${inGroup(GroupId, look)}
    and ${KeywordId === undefined ? sql`true` : withKeyword}
    and ${published === 'all' ? sql`true` : published === 'true' ? running : sql`not (${running})`}`;
}
