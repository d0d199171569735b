import { Injectable, type OnModuleInit } from '@nestjs/common';
import { maxLength } from 'class-validator';
import { Clock } from '#libs/clock';
import {
  ForbiddenError,
  NotFoundError,
  refuseUnknownIds,
  RoleForbiddenError,
  ValidationError,
} from '#libs/errors';
import type { AddedOrEdited } from '#libs/http';
import { escapeHtml } from '#libs/markup';
import { GroupsService } from '../groups/groups.service';
import { ModerationService, type Written } from '../moderation/moderation.service';
import { written } from '../moderation/written';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff } from '../kernel/callers/caller';
import type { Content } from '../content/content.entity';
import { canEditContent, openedGate } from '../content/content.policy';
import { ContentRecords } from '../content/content-records.service';
import { MemberContent, type PostToSave, type PostWriter } from '../content/member-content';
import { MemberPostsRepository } from './member-posts.repository';

export const MESSAGE_LENGTH = 10_000;
const TITLE_LENGTH = 80;

type StoredVerdict = Pick<Content, 'moderationCategory' | 'awaitsApproval'>;

/**
 * The one way by which members post, whatever route they take: sanitised as comments are, only where their groups
 * let them, once within a minute, and judged before others see it.
 */
@Injectable()
export class MemberPostsService implements PostWriter, OnModuleInit {
  constructor(
    private readonly contents: ContentRecords,
    private readonly posts: MemberPostsRepository,
    private readonly groups: GroupsService,
    private readonly platforms: PlatformsService,
    private readonly moderation: ModerationService,
    private readonly memberContent: MemberContent,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.memberContent.register(this);
  }

  save(caller: Caller, post: PostToSave, field = 'message'): Promise<AddedOrEdited<Content>> {
    return post.id == null ? this.add(caller, post, field) : this.edit(caller, post.id, post, field);
  }

  private async add(caller: Caller, post: PostToSave, field: string): Promise<AddedOrEdited<Content>> {
    const text = this.textOf(post, field);
    if (!text) throw ValidationError.of(field, `${field} is required`);
    const { GroupIds = [], chatEnabled, featuredImage } = post;
    await this.refuseClosed(caller, GroupIds);
    await this.posts.lockAuthor(caller);
    const repeated = await this.posts.repeated(caller, text.message);
    if (repeated !== null) return [await this.contents.get(caller.platformId, repeated), false];

    const PlatformId = caller.platformId;
    const title = post.title ?? titleOf(text);
    const now = this.clock.now();
    const added = await this.contents.add({
      ...(await this.judge(caller, { title, picture: featuredImage ?? null, text })),
      type: 'post',
      title,
      description: text.message,
      plainText: text.messagePlain,
      PlatformId,
      UserId: caller.userId,
      visibility: (await this.platforms.settings(PlatformId)).defaultVisibility,
      slug: await this.contents.freeSlug(PlatformId, title, 'post'),
      chatEnabled,
      featuredImage,
      createdAt: now,
      updatedAt: now,
      lastActivityAt: now,
    });
    await this.contents.replaceGroups(added, GroupIds);
    return [added, true];
  }

  private async edit(
    caller: Caller,
    id: number,
    post: PostToSave,
    field: string,
  ): Promise<AddedOrEdited<Content>> {
    const text = this.textOf(post, field);
    const before = await this.lock(caller, id);
    const { GroupIds, chatEnabled, featuredImage } = post;
    const linked = await this.contents.groupIds(id);
    await this.refuseClosed(
      caller,
      (GroupIds ?? []).filter((groupId) => !linked.includes(groupId)),
    );

    const old = { message: before.description, messagePlain: before.plainText };
    const current = text ?? old;
    // A title that was the beginning of the text follows it.
    const title = post.title ?? (before.title === titleOf(old) ? titleOf(current) : before.title);
    const isRewritten = title !== before.title || current.message !== before.description;
    const picture = featuredImage === undefined ? before.featuredImage : featuredImage;
    const hasNewPicture = picture !== null && picture !== before.featuredImage;
    if (isRewritten || hasNewPicture) await this.refuseBanned(caller, GroupIds ?? linked);
    await this.contents.change(before, {
      // What has been approved stays so until its text or picture changes; staff approve by saving.
      ...((isRewritten || hasNewPicture || isStaff(caller)) &&
        (await this.judge(caller, { title, picture, text: current }, before))),
      ...(isRewritten && {
        title,
        description: current.message,
        plainText: current.messagePlain,
        isEdited: true,
        editedAt: this.clock.now(),
      }),
      chatEnabled,
      featuredImage,
      ...openedGate(before, undefined),
    });
    if (GroupIds) await this.contents.replaceGroups(before, GroupIds);
    return [before, false];
  }

  /** The post, locked, if the caller may change it; to those who may not even see it, it does not exist. */
  private async lock(caller: Caller, id: number): Promise<Content> {
    const content = await this.contents.lock(caller.platformId, id);
    if (content.type !== 'post' || content.deletedAt) throw new NotFoundError();
    if (canEditContent(caller, content)) return content;
    if (!(await this.contents.isVisible(caller, id))) throw new NotFoundError();
    throw new ForbiddenError('Only the author and admins change a post.');
  }

  private textOf({ message }: PostToSave, field: string): Written | null {
    if (message === undefined) return null;
    if (!maxLength(message, MESSAGE_LENGTH)) {
      throw ValidationError.of(field, `must be at most ${MESSAGE_LENGTH} characters`);
    }
    return written(message, field);
  }

  /**
   * A title of its own is judged with the text, as its first paragraph, and the host of the picture as its last.
   * Only staff let go what waits for them.
   */
  private async judge(
    caller: Caller,
    { title, picture, text }: { title: string; picture: string | null; text: Written },
    before?: Content,
  ): Promise<StoredVerdict> {
    const isPartOfText = title === titleOf(text);
    const host = picture === null ? '' : `\n${new URL(picture).hostname}`;
    const { moderationCategory, awaitsApproval } = await this.moderation.judge(caller, {
      message: isPartOfText ? text.message : `<p>${escapeHtml(title)}</p>${text.message}`,
      messagePlain: (isPartOfText ? text.messagePlain : `${title}\n${text.messagePlain}`) + host,
    });
    const waits = before?.awaitsApproval === true && !isStaff(caller);
    return { moderationCategory, awaitsApproval: awaitsApproval || waits };
  }

  /** Members are not told a group that is closed to them from one that does not exist. */
  private async refuseClosed(caller: Caller, groupIds: number[]): Promise<void> {
    if (isStaff(caller)) {
      refuseUnknownIds({ GroupIds: await this.groups.unknownIds(caller.platformId, groupIds) });
      return;
    }
    refuseGroups(await this.groups.closedToPosts(caller, groupIds));
  }

  /** A post stays in a group that has closed since; a ban ends what its author says there. */
  private async refuseBanned(caller: Caller, groupIds: number[]): Promise<void> {
    if (!isStaff(caller)) refuseGroups(await this.groups.bannedFrom(caller, groupIds));
  }
}

function refuseGroups(closed: number[]): void {
  if (closed.length === 0) return;
  throw new RoleForbiddenError(
    closed.map((id) => ({ field: 'GroupIds', issue: `group ${id} is closed to your posts` })),
  );
}

/** A post may do without a title: it is the beginning of its text, on one line. */
const titleOf = ({ messagePlain }: Written): string =>
  [...messagePlain.replace(/\s+/g, ' ')].slice(0, TITLE_LENGTH).join('').trimEnd();
