import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { containsWords, Database, equals, orderBy, raw, type SizedRows, type Sql, sql } from '#libs/database';
import { offsetOf } from '#libs/http';
import { type ContentAccess, contentAccess, type Look, moderates } from '../kernel/access/content.access';
import {
  contentColumns,
  contentSize,
  firstFittingContents,
  inGroup,
  joinRanks,
} from '../content/content.sql';
import { TEASER_LENGTH } from '../content/teaser';
import { type Caller, type Viewer, viewerOn } from '../kernel/callers/caller';
import type { ListPostsQuery } from './dto/list-posts.query';
import type { PostRow } from './post.presenter';
import type { Standing } from './posts.policy';

/** An index holds each of these orders. */
const ORDERS = { id: 'c.id', createdAt: 'c."createdAt"', activity: 'k."activeAt"' };

/** Posts are content of type `post`, and live in its table. */
@Injectable()
export class PostsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The post, whatever its platform, as the viewer sees it; null when for them it does not exist. */
  async visible(viewer: Viewer, id: number): Promise<PostRow | null> {
    const post = await this.db.row<{ PlatformId: number }>(
      sql`select "PlatformId" from contents where id = ${id} and type = 'post'`,
    );
    if (!post) return null;
    const look = this.look(viewerOn(post.PlatformId, viewer), true);
    const access = contentAccess('c', look);
    const row = await this.db.row<PostRow>(sql`
      select ${columns(look, access)} from contents c join users u on u.id = c."UserId"
       where c.id = ${id} and c.type = 'post' and ${access.visible}`);
    return row ?? null;
  }

  async page(
    viewer: Viewer,
    platformId: number,
    query: ListPostsQuery,
    most: number,
  ): Promise<SizedRows<PostRow>> {
    const look = this.look(viewerOn(platformId, viewer), false);
    const access = contentAccess('c', look);
    const { GroupId, UserId } = query.filters ?? {};
    const listed = sql`c."PlatformId" = ${platformId} and c.type = 'post' and ${access.visible}
      and ${inGroup(GroupId, look)} and ${equals('c."UserId"', UserId)}
      and ${says(query.searchTerm, platformId, access)}`;
    const pinned = GroupId === undefined ? sql`` : sql`c.pinned desc, `;
    const order = sql`${pinned}${orderBy(query.sort, ORDERS)}`;
    const ranks = query.sort.startsWith('activity:') ? joinRanks(platformId) : sql``;
    const ranked = query.sort.startsWith('activity:') ? sql`and k.post` : sql``;
    // What is far from the first page is counted past, not read with all that belongs to it. The text is in the answer
    // three times: as description, as message and without markup.
    const page = sql`
      select c.id, 3 * ${contentSize(access)} as size from contents c ${ranks} where ${listed} ${ranked}
       order by ${order} limit ${query.itemsPerPage} offset ${offsetOf(query)}`;
    return this.db.sizedPage(
      firstFittingContents(page, most, columns(look, access)),
      sql`from contents c where ${listed}`,
    );
  }

  /** How the caller stands to a post that they see; nobody else changes it until the transaction ends. */
  async lockStanding(caller: Caller, id: number): Promise<Standing | null> {
    const { visible } = contentAccess('c', this.look(caller, true));
    const row = await this.db.row<Standing>(sql`
      select c."UserId", ${moderates('c', caller, this.clock.now())} as moderates from contents c
       where c.id = ${id} and c."PlatformId" = ${caller.platformId} and c.type = 'post' and ${visible}
         for update of c`);
    return row ?? null;
  }

  /** @returns whether that changed anything */
  async pin(id: number, pinned: boolean): Promise<boolean> {
    const changed = await this.db.execute(sql`
      update contents set pinned = ${pinned} where id = ${id} and pinned <> ${pinned}`);
    return changed > 0;
  }

  /** @returns whether that changed anything */
  async lockConversation(id: number, locked: boolean): Promise<boolean> {
    const changed = await this.db.execute(sql`
      update contents set "commentsLocked" = ${locked} where id = ${id} and "commentsLocked" <> ${locked}`);
    return changed > 0;
  }

  private look(viewer: Viewer, unlisted: boolean): Look {
    return { viewer, now: this.clock.now(), unlisted };
  }
}

/** Whether the title or the message of `c` holds the words; of a teaser only what it shows is looked through. */
function says(term: string | undefined, platformId: number, { locked }: ContentAccess): Sql {
  if (!term) return sql`true`;
  const holds = (key: string): Sql => containsWords(raw(`c."${key}"`), term);
  // Spelled as in the indexes of the search.
  return sql`(c."PlatformId" + 0 = ${platformId} and (${holds('titleKey')}
    or (${holds('textKey')} and (not ${locked} or (${holds('teaserKey')})))))`;
}

/** The columns of a `PostRow`, over `contents c` joined with its author `users u`. */
function columns(look: Look, access: ContentAccess): Sql {
  const mine = look.viewer
    ? sql`array(select r.emoji from reactions r
        where r."ContentId" = c.id and r."UserId" = ${look.viewer.userId} order by r.emoji)`
    : sql`null`;
  const messagePlain = sql`case when ${access.locked} then left(c."plainText", ${TEASER_LENGTH}) else c."plainText" end`;
  return sql`${contentColumns(look, access)}, ${messagePlain} as "messagePlain", c.pinned, c."commentsLocked", c."reactionCounts", c."isEdited",
    c."editedAt", c."moderationCategory", c."awaitsApproval", c."deletedAt", ${mine} as "myReactions"`;
}
