import { Injectable } from '@nestjs/common';
import { Database, type Sql } from '#libs/database';
import { ForbiddenError, NotFoundError, refuseUnknownIds, RoleForbiddenError } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, required, warn } from '#libs/http';
import { Markup } from '#libs/markup';
import { refuseReversedDates, runningTime } from '#libs/time';
import { AccessTagsService } from '../access-tags/access-tags.service';
import { AuditService } from '../kernel/audit/audit.service';
import { GroupsService } from '../groups/groups.service';
import { KeywordsService } from '../keywords/keywords.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isStaff, type Viewer } from '../kernel/callers/caller';
import { UsersService } from '../users/users.service';
import type { Content } from './content.entity';
import {
  canAddContent,
  canDeleteContent,
  canEditContent,
  canWriteAs,
  fieldsForStaffOnly,
  openedGate,
  readersOf,
  STAFF_DEFAULTS,
} from './content.policy';
import { presentContent } from './content.presenter';
import { ContentRepository, type ReadableContent } from './content.repository';
import type { ContentDto } from './dto/content.dto';
import type { SaveContentDto } from './dto/save-content.dto';
import { MemberContent } from './member-content';

type Texts = Partial<Pick<Content, 'description' | 'plainText'>>;

@Injectable()
export class ContentService {
  constructor(
    private readonly db: Database,
    private readonly contents: ContentRepository,
    private readonly users: UsersService,
    private readonly platforms: PlatformsService,
    private readonly groups: GroupsService,
    private readonly accessTags: AccessTagsService,
    private readonly keywords: KeywordsService,
    private readonly audit: AuditService,
    private readonly memberContent: MemberContent,
    private readonly markup: Markup,
  ) {}

  async read(caller: Caller, id: number): Promise<ContentDto> {
    const row = await this.contents.visible(caller, caller.platformId, { id });
    if (!row) throw new NotFoundError();
    return presentContent(row);
  }

  /** The item whatever its platform: to people of another one as to a visitor. */
  async show(viewer: Viewer, id: number): Promise<ContentDto> {
    const platformId = await this.contents.platformOf(id);
    const row = platformId === null ? null : await this.contents.visible(viewer, platformId, { id });
    if (!row) throw new NotFoundError();
    return presentContent(row);
  }

  /** @throws NotFoundError when the viewer may not read the item, or only its teaser */
  async requireReadable(viewer: Viewer, id: number): Promise<ReadableContent> {
    const content = await this.contents.readable(viewer, id);
    if (!content) throw new NotFoundError();
    return content;
  }

  /** Which of the ids are no content of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.contents.unknownIds(platformId, ids);
  }

  /** The access rule as an SQL condition on the item `c` found by `by`, for lists of what belongs to items. */
  isReadable(viewer: Viewer, by: Sql): Sql {
    return this.contents.isReadable(viewer, by);
  }

  async save(caller: Caller, dto: SaveContentDto): Promise<AddedOrEdited<ContentDto>> {
    // Before the transaction: a long text waits for its turn, and keeps no connection meanwhile.
    const texts = isStaff(caller) ? await this.texts(dto) : {};
    const [before, created] = await this.db.transaction(() =>
      isStaff(caller) ? this.saveItem(caller, dto, texts) : this.savePost(caller, dto),
    );
    await this.warnOfGate(before, dto);
    return [await this.read(caller, before.id), created];
  }

  async remove(caller: Caller, id: number): Promise<DeletedDto> {
    await this.db.transaction(async () => {
      await this.discard(caller, await this.lock(caller, id, canDeleteContent));
    });
    return { message: 'Content deleted.', id };
  }

  /** Takes an item away whose deletion has been decided: it is gone from lists, search and collections at once. */
  async discard(caller: Caller, content: Pick<Content, 'PlatformId' | 'id'>): Promise<void> {
    await this.contents.markDeleted(content);
    await this.audit.record({
      platformId: content.PlatformId,
      actorId: caller.userId,
      action: 'content.delete',
      target: { type: 'content', id: content.id },
    });
  }

  /** What its author may not think of: a gate only files an item for anyone, and one that was closed is open again. */
  async warnOfGate({ PlatformId, id, gateClosed }: Content, sent: { id?: number | null }): Promise<void> {
    const opened = sent.id != null && gateClosed;
    const item = await this.contents.get(PlatformId, id);
    if (!opened && readersOf(item, false) !== 'everyone') return;
    const gated = await this.contents.isGated(id);
    const readers = readersOf(item, gated);
    if (gated && readers === 'everyone') warn('gate-without-effect');
    if (opened) warn(`gate-opened ${readers}`);
  }

  /** What staff write is theirs to answer for: any type, any field, and not judged. */
  private async saveItem(caller: Caller, dto: SaveContentDto, texts: Texts): Promise<AddedOrEdited<Content>> {
    const content =
      dto.id == null ? await this.add(caller, dto, texts) : await this.edit(caller, dto.id, dto, texts);
    await this.replaceLinks(caller, content, dto);
    return [content, dto.id == null];
  }

  /** Of what members send only a post is taken, and it goes the way of all posts. */
  private async savePost(caller: Caller, dto: SaveContentDto): Promise<AddedOrEdited<Content>> {
    const type = dto.id == null ? required(dto, 'type').type : dto.type;
    const before = dto.id == null ? null : await this.lock(caller, dto.id, canEditContent);
    if (type !== undefined && !canAddContent(caller, type))
      throw new ForbiddenError('Members add posts only.');
    await this.refuseStaffFields(caller, dto, before);
    if (dto.UserId !== undefined) await this.author(caller, dto.UserId);
    const saved = await this.memberContent.save(caller, { ...dto, message: dto.description }, 'description');
    const [post, created] = saved;
    if (before || created) await this.replaceLinks(caller, post, { KeywordIds: dto.KeywordIds });
    return saved;
  }

  private async add(caller: Caller, dto: SaveContentDto, texts: Texts): Promise<Content> {
    const { title, type } = required(dto, 'title', 'type');
    const { defaultVisibility } = await this.platforms.settings(caller.platformId);
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields);
    const PlatformId = caller.platformId;
    return this.contents.add({
      ...fields,
      type,
      title,
      description: '',
      plainText: '',
      ...texts,
      PlatformId,
      visibility: dto.visibility ?? defaultVisibility,
      slug:
        (await this.contents.holdSlug(PlatformId, dto.slug)) ??
        (await this.contents.freeSlug(PlatformId, title, type)),
      UserId: await this.author(caller, dto.UserId ?? caller.userId),
    });
  }

  private async edit(caller: Caller, id: number, dto: SaveContentDto, texts: Texts): Promise<Content> {
    const content = await this.lock(caller, id, canEditContent);
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields, content);
    await this.contents.change(content, {
      ...fields,
      ...texts,
      title: dto.title,
      type: dto.type,
      slug: await this.contents.holdSlug(caller.platformId, dto.slug),
      // One that stays is not asked about: the author may be gone.
      UserId:
        dto.UserId === undefined || dto.UserId === content.UserId
          ? undefined
          : await this.author(caller, dto.UserId),
      ...openedGate(content, dto.visibility),
    });
    return content;
  }

  /** The item, locked, if the caller may change it; to those who may not even see it, it does not exist. */
  private async lock(caller: Caller, id: number, may: typeof canEditContent): Promise<Content> {
    const content = await this.contents.lock(caller.platformId, id);
    if (may(caller, content) && !content.deletedAt) return content;
    await this.read(caller, id);
    throw new ForbiddenError('Only its author and admins change an item, and members only posts.');
  }

  private async texts({ description }: SaveContentDto): Promise<Texts> {
    if (description === undefined) return {};
    const { html, text } = await this.markup.article(description);
    return { description: html, plainText: text };
  }

  private async fields(caller: Caller, dto: SaveContentDto): Promise<Partial<Content>> {
    return {
      ...runningTime(dto, await this.platforms.timezone(caller.platformId)),
      requiredRole: dto.requiredRole,
      featuredImage: dto.featuredImage,
      video: dto.video,
      contentURI: dto.contentURI,
      chatEnabled: dto.chatEnabled,
      featured: dto.featured,
      options: dto.options,
    };
  }

  /** What members may not decide stays as it is, or as it would be if they did not send it. */
  private async refuseStaffFields(
    caller: Caller,
    dto: SaveContentDto,
    before: Content | null,
  ): Promise<void> {
    const there = before
      ? { ...before, AccessTagIds: await this.contents.linkedIds('accessTags', before.id) }
      : {
          ...STAFF_DEFAULTS,
          visibility: (await this.platforms.settings(caller.platformId)).defaultVisibility,
        };
    const sent = {
      ...(await this.fields(caller, dto)),
      visibility: dto.visibility,
      slug: dto.slug,
      AccessTagIds: dto.AccessTagIds?.toSorted((one, other) => one - other),
    };
    const fields = fieldsForStaffOnly(sent, there);
    if (fields.length > 0) {
      throw new RoleForbiddenError(
        fields.map((field) => ({ field, issue: 'only admins and creators set it' })),
      );
    }
  }

  private async author(caller: Caller, userId: number): Promise<number> {
    if (!canWriteAs(caller, userId)) throw new ForbiddenError('Only admins name another author.');
    if (userId !== caller.userId)
      refuseUnknownIds({ UserId: await this.users.unknownIds(caller.platformId, [userId]) });
    return userId;
  }

  private async replaceLinks(
    caller: Caller,
    content: Content,
    dto: Pick<SaveContentDto, 'GroupIds' | 'AccessTagIds' | 'KeywordIds'>,
  ): Promise<void> {
    const { GroupIds, AccessTagIds, KeywordIds } = dto;
    const { platformId } = caller;
    refuseUnknownIds({
      GroupIds: await this.groups.unknownIds(platformId, GroupIds ?? []),
      AccessTagIds: await this.accessTags.unknownIds(platformId, AccessTagIds ?? []),
      KeywordIds: await this.keywords.unknownIds(platformId, KeywordIds ?? []),
    });
    if (GroupIds) await this.contents.replaceLinks('groups', content, GroupIds);
    if (AccessTagIds) await this.contents.replaceLinks('accessTags', content, AccessTagIds);
    if (KeywordIds) await this.contents.replaceLinks('keywords', content, KeywordIds);
  }
}
