import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError, ValidationError } from '#libs/errors';
import { type AddedOrEdited, type Page, pageOf, required } from '#libs/http';
import { ContentService } from '../content/content.service';
import { ModerationService, type Verdict, type Written } from '../moderation/moderation.service';
import { written } from '../moderation/written';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller, Viewer } from '../kernel/callers/caller';
import { ChatDisabledError } from './chat.errors';
import { canBeAnswered, canEditComment, isStillEditable, knowsComment } from './chat.policy';
import { ChatRepository, type CommentRows } from './chat.repository';
import type { Comment } from './comment.entity';
import { presentComment } from './comment.presenter';
import type { CommentDto } from './dto/comment.dto';
import type { ListCommentsQuery, ListRepliesQuery } from './dto/list-comments.query';
import type { SaveCommentDto } from './dto/save-comment.dto';

type StoredVerdict = Pick<Comment, keyof Verdict>;

@Injectable()
export class ChatService {
  constructor(
    private readonly db: Database,
    private readonly comments: ChatRepository,
    private readonly contents: ContentService,
    private readonly platforms: PlatformsService,
    private readonly moderation: ModerationService,
    private readonly clock: Clock,
  ) {}

  async list(viewer: Viewer, query: ListCommentsQuery): Promise<Page<CommentDto>> {
    return present(await this.comments.topLevelPage(viewer, query), query);
  }

  async replies(viewer: Viewer, query: ListRepliesQuery): Promise<Page<CommentDto>> {
    return present(await this.comments.repliesPage(viewer, query), query);
  }

  async save(caller: Caller, dto: SaveCommentDto): Promise<AddedOrEdited<CommentDto>> {
    const { id } = dto;
    const [savedId, created] = await this.db.transaction(() =>
      id == null ? this.add(caller, dto) : this.edit(caller, id, dto),
    );
    return [presentComment(await this.comments.row(caller, savedId)), created];
  }

  /** @throws NotFoundError when the viewer may not see the comment, or it is deleted */
  async requireVisible(viewer: Viewer, id: number): Promise<{ PlatformId: number }> {
    const comment = await this.comments.visible(viewer, id);
    if (!comment) throw new NotFoundError();
    return comment;
  }

  private async add(caller: Caller, dto: SaveCommentDto): Promise<AddedOrEdited<number>> {
    const { contentId, parentCommentId = null, atSeconds = null } = required(dto, 'contentId');
    const content = await this.contents.requireReadable(caller, contentId);
    // An item of another platform may be public to read; to write, one belongs to the platform.
    if (content.PlatformId !== caller.platformId) throw new NotFoundError();
    if (!content.commentsOpen) throw new ChatDisabledError();
    const text = written(dto.message);
    await this.comments.lockContent(contentId);
    if (parentCommentId !== null) await this.requireAnswerable(caller, parentCommentId, contentId);
    const comment = {
      ...text,
      PlatformId: caller.platformId,
      ContentId: contentId,
      UserId: caller.userId,
      parentCommentId,
      atSeconds,
    };
    const repeated = await this.comments.repeated(comment);
    if (repeated !== null) return [repeated, false];
    const verdict = await this.moderation.judge(caller, text);
    return [(await this.comments.add({ ...comment, ...verdict })).id, true];
  }

  private async edit(caller: Caller, id: number, dto: SaveCommentDto): Promise<AddedOrEdited<number>> {
    const { ContentId } = await this.comments.get(caller.platformId, id);
    const content = await this.contents.requireReadable(caller, ContentId);
    if (!content.commentsOpen) throw new ChatDisabledError();
    const text = written(dto.message);
    await this.comments.lockContent(ContentId);
    const comment = await this.comments.lock(caller.platformId, id);
    if (!canEditComment(caller, comment)) {
      if (!knowsComment(caller, comment)) throw new NotFoundError();
      throw new ForbiddenError('Only its author edits a comment.');
    }
    const { commentEditMinutes } = await this.platforms.settings(caller.platformId);
    if (!isStillEditable(comment, commentEditMinutes, this.clock.now())) {
      throw new ForbiddenError('The time to edit this comment is over.');
    }
    refuseMove(comment, dto);
    await this.comments.change(comment, { ...text, ...(await this.verdictOn(caller, comment, text)) });
    return [id, false];
  }

  /** The same text keeps its verdict, whoever gave it; and only staff let go what waits for them. */
  private async verdictOn(caller: Caller, comment: Comment, text: Written): Promise<StoredVerdict> {
    if (text.message === comment.message) {
      const { moderationCategory, moderationRule, awaitsApproval } = comment;
      return { moderationCategory, moderationRule, awaitsApproval };
    }
    const verdict = await this.moderation.judge(caller, text, comment);
    return { ...verdict, awaitsApproval: verdict.awaitsApproval || comment.awaitsApproval };
  }

  private async requireAnswerable(caller: Caller, parentId: number, contentId: number): Promise<void> {
    const parent = await this.comments.find(caller.platformId, parentId);
    if (!parent || !canBeAnswered(parent, contentId)) {
      throw ValidationError.of('parentCommentId', 'is no comment on this content that can be answered');
    }
  }
}

function present(found: CommentRows | null, query: ListCommentsQuery | ListRepliesQuery): Page<CommentDto> {
  if (!found) throw new NotFoundError();
  return pageOf(found.rows.map(presentComment), found.total, query);
}

function refuseMove(
  comment: { ContentId: number; parentCommentId: number | null },
  dto: SaveCommentDto,
): void {
  if (dto.contentId !== undefined && dto.contentId !== comment.ContentId) {
    throw ValidationError.of('contentId', 'cannot change');
  }
  if (dto.parentCommentId !== undefined && dto.parentCommentId !== comment.parentCommentId) {
    throw ValidationError.of('parentCommentId', 'cannot change');
  }
}
