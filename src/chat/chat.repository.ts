import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, pageSizeClass, PlatformRepository, raw, type Sql, sql } from '#libs/database';
import { offsetOf } from '#libs/http';
import { ContentService } from '../content/content.service';
import { isBanned } from '../kernel/access/banned.sql';
import type { Viewer } from '../kernel/callers/caller';
import { Comment } from './comment.entity';
import type { CommentRow } from './comment.presenter';
import type { ListCommentsQuery, ListRepliesQuery } from './dto/list-comments.query';

/** One page; `total` counts all that the list shows. */
export interface CommentRows {
  total: number;
  rows: CommentRow[];
}

type PageRow = { [Column in keyof CommentRow]: CommentRow[Column] | null } & { total: number };

export type NewComment = Pick<
  Comment,
  | 'PlatformId'
  | 'ContentId'
  | 'UserId'
  | 'parentCommentId'
  | 'message'
  | 'messagePlain'
  | 'atSeconds'
  | 'moderationCategory'
  | 'moderationRule'
  | 'awaitsApproval'
>;
export type ChangedComment = Pick<
  Comment,
  'message' | 'messagePlain' | 'moderationCategory' | 'moderationRule' | 'awaitsApproval'
>;

/** As the database derives `hidden`. */
const isHidden = (comment: Pick<Comment, 'moderationCategory' | 'awaitsApproval'>): boolean =>
  comment.moderationCategory !== null || comment.awaitsApproval;

const REPEATED_WITHIN_SECONDS = 60;

@Injectable()
export class ChatRepository extends PlatformRepository<Comment> {
  constructor(
    db: Database,
    private readonly clock: Clock,
    private readonly contents: ContentService,
  ) {
    super(db, Comment);
  }

  /** The top-level comments of an item, or null when the viewer may not read it. */
  async topLevelPage(viewer: Viewer, query: ListCommentsQuery): Promise<CommentRows | null> {
    const owner = sql`select c.id, c."topLevelCount" as total from contents c
      where ${this.contents.isReadable(viewer, sql`c.id = ${query.contentId}`)}`;
    return this.page(
      viewer,
      query,
      owner,
      (alias) => sql`${alias}."ContentId" = o.id and ${alias}."parentCommentId" is null`,
    );
  }

  /** The replies to a comment, or null when the viewer may not see it. */
  async repliesPage(viewer: Viewer, query: ListRepliesQuery): Promise<CommentRows | null> {
    const owner = sql`select p.id, p."listedCount" as total from comments p join contents c on c.id = p."ContentId"
      where not p.hidden and ${this.contents.isReadable(viewer, sql`p.id = ${query.commentId}`)}`;
    return this.page(viewer, query, owner, (alias) => sql`${alias}."parentCommentId" = o.id`);
  }

  /** A comment as its list would show it, hidden or not. */
  async row(viewer: Viewer, id: number): Promise<CommentRow> {
    const [row] = await this.db.rows<CommentRow>(sql`
      select ${this.columns(viewer)} from comments m join users u on u.id = m."UserId" where m.id = ${id}`);
    return row as CommentRow;
  }

  /** The comment if the viewer may see it, text and all. */
  async visible(viewer: Viewer, id: number): Promise<Pick<Comment, 'PlatformId'> | null> {
    const row = await this.db.row<Pick<Comment, 'PlatformId'>>(sql`
      select p."PlatformId" from comments p join contents c on c.id = p."ContentId"
       where not p.hidden and p."deletedAt" is null and ${this.contents.isReadable(viewer, sql`p.id = ${id}`)}`);
    return row ?? null;
  }

  /** The same text by the same author in the same place a moment ago: a button pressed twice. */
  async repeated({
    UserId,
    ContentId,
    parentCommentId,
    message,
  }: Pick<NewComment, 'UserId' | 'ContentId' | 'parentCommentId' | 'message'>): Promise<number | null> {
    const since = new Date(this.clock.now().getTime() - REPEATED_WITHIN_SECONDS * 1000);
    const row = await this.db.row<{ id: number }>(sql`
      select id from comments
       where "UserId" = ${UserId} and "ContentId" = ${ContentId} and "createdAt" > ${since}
         and "parentCommentId" is not distinct from ${parentCommentId}::int
         and message = ${message} and "deletedAt" is null
       order by id desc limit 1`);
    return row?.id ?? null;
  }

  /** Adds a comment and counts it; the caller holds the lock on its content. */
  async add(comment: NewComment): Promise<Comment> {
    const ordinal = await this.nextOrdinal(comment);
    return this.insert({ ...comment, ordinal, createdAt: this.clock.now() });
  }

  /** Changes the text, and the counts when it becomes hidden or shown; the caller holds the lock on its content. */
  async change(comment: Comment, changes: ChangedComment): Promise<void> {
    const now = this.clock.now();
    const { id, PlatformId, ContentId, parentCommentId } = comment;
    await this.update(PlatformId, id, { ...changes, isEdited: true, editedAt: now, updatedAt: now });
    const difference = Number(comment.hidden) - Number(isHidden(changes));
    if (difference === 0) return;
    await this.db.execute(sql`
      update contents set "commentCount" = "commentCount" + ${difference},
             "topLevelCount" = "topLevelCount" + ${parentCommentId === null ? difference : 0}
       where id = ${ContentId}`);
    await this.db.execute(sql`
      update comments set "replyCount" = "replyCount" + ${difference}, "listedCount" = "listedCount" + ${difference}
       where id = ${parentCommentId}`);
  }

  /** Comments on one item are added one after the other, so that ordinals and counters are exact. */
  async lockContent(contentId: number): Promise<void> {
    await this.db.execute(sql`select 1 from contents where id = ${contentId} for update`);
  }

  private async nextOrdinal(comment: NewComment): Promise<number> {
    const { ContentId, parentCommentId } = comment;
    const hidden = isHidden(comment);
    const listed = hidden ? 0 : 1;
    const activity = hidden ? sql`"lastActivityAt"` : sql`${this.clock.now()}`;
    const onContent = await this.db.row<{ ordinal: number }>(sql`
      update contents set "commentCount" = "commentCount" + ${listed}, "lastActivityAt" = ${activity},
             "topLevelCount" = "topLevelCount" + ${parentCommentId === null ? listed : 0},
             "lastOrdinal" = "lastOrdinal" + ${parentCommentId === null ? 1 : 0}
       where id = ${ContentId} returning "lastOrdinal" as ordinal`);
    if (parentCommentId === null) return onContent?.ordinal ?? 1;
    const onParent = await this.db.row<{ ordinal: number }>(sql`
      update comments set "lastOrdinal" = "lastOrdinal" + 1, "replyCount" = "replyCount" + ${listed},
             "listedCount" = "listedCount" + ${listed}
       where id = ${parentCommentId} returning "lastOrdinal" as ordinal`);
    return onParent?.ordinal ?? 1;
  }

  /**
   * One page in one statement, at the same cost however far into the list. Ordinals count without a gap, hidden
   * comments included, so the page begins at its offset plus the hidden comments before it; those are few and
   * have an index of their own. Newest first is the same page counted from the end.
   * @param owner selects `id` and `total` of what the comments belong to, or nothing
   */
  private async page(
    viewer: Viewer,
    query: ListCommentsQuery | ListRepliesQuery,
    owner: Sql,
    belongs: (alias: Sql) => Sql,
  ): Promise<CommentRows | null> {
    const newestFirst = query.sort === 'createdAt:desc';
    const skip = sql`${offsetOf(query)}::bigint`;
    const size = sql`${query.itemsPerPage}::bigint`;
    const first = newestFirst ? sql`greatest(o.total - ${skip} - ${size}, 0)` : skip;
    // Not a parameter: a plan made before the size is known expects a tenth of all comments.
    const most = raw(String(pageSizeClass(query.itemsPerPage)));
    const limit = newestFirst ? sql`least(${size}, greatest(o.total - ${skip}, 0))` : most;
    const found = await this.db.preparedRows<PageRow>(sql`
      select o.total, m.* from (${owner}) o
       cross join lateral (
         select ${first} + count(*) as ordinal from (
           select h.ordinal - row_number() over (order by h.ordinal) as before
             from comments h where ${belongs(sql`h`)} and h.hidden) gaps
          where gaps.before <= ${first}) start
        left join lateral (
         select ${this.columns(viewer)}, m.ordinal
           from comments m join users u on u.id = m."UserId"
          where ${belongs(sql`m`)} and not m.hidden and m.ordinal > start.ordinal
          order by m.ordinal limit ${limit}) m on true
       order by m.ordinal ${newestFirst ? sql`desc` : sql`asc`}`);
    const [head] = found;
    if (!head) return null;
    const rows = found.filter((row): row is PageRow & CommentRow => row.id !== null);
    return { total: head.total, rows: rows.slice(0, query.itemsPerPage) };
  }

  private columns(viewer: Viewer): Sql {
    const mine = viewer
      ? sql`case when m."PlatformId" = ${viewer.platformId} then
          array(select r.emoji from reactions r where r."CommentId" = m.id and r."UserId" = ${viewer.userId} order by r.emoji) end`
      : sql`null`;
    return sql`m.id, m.message, m."messagePlain", m."deletedAt", m."moderationCategory", m."isEdited", m."editedAt",
      m."createdAt", m."parentCommentId", m."replyCount", m."atSeconds", m."reactionCounts",
      u.id as "authorId", u.name as "authorName", u."photoUrl" as "authorPhotoUrl",
      ${isBanned('u', this.clock.now())} as "authorBanned",
      ${mine} as "myReactions"`;
  }
}
