import { Injectable } from '@nestjs/common';
import { Database, type PlatformRecord } from '#libs/database';
import { ForbiddenError, refuseUnknownIds, ValidationError } from '#libs/errors';
import { Events } from '#libs/events';
import { type Page, pageOf } from '#libs/http';
import { AuditService } from '../kernel/audit/audit.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller } from '../kernel/callers/caller';
import { ACCESS_TAG_DELETED } from './access-tags.events';
import { canAddTagFor, canDeleteTag, canReadTag } from './access-tags.policy';
import { presentAccessTag, presentHolder } from './access-tag.presenter';
import { AccessTagsRepository } from './access-tags.repository';
import { allAffected } from './affected-gates';
import type {
  AccessTagDto,
  AccessTagHolderDto,
  AddedAccessTagDto,
  ChangedHoldersDto,
} from './dto/access-tag.dto';
import type { DeletedGateEntryDto } from './dto/deleted-entry.dto';
import type { ListHoldersQuery } from './dto/list-holders.query';
import type { AddAccessTagDto, GrantAccessTagDto, RevokeAccessTagDto } from './dto/save-access-tag.dto';

/** At a time and by one member: every read looks at all of them. */
const MOST_HELD = 100;

@Injectable()
export class AccessTagsService {
  constructor(
    private readonly db: Database,
    private readonly accessTags: AccessTagsRepository,
    private readonly platforms: PlatformsService,
    private readonly events: Events,
    private readonly audit: AuditService,
  ) {}

  /** Which of the ids are no access tags of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.accessTags.unknownIds(platformId, ids);
  }

  async list({ platformId }: Caller): Promise<AccessTagDto[]> {
    return (await this.accessTags.all(platformId)).map(presentAccessTag);
  }

  async read(caller: Caller, id: number): Promise<AccessTagDto> {
    const tag = await this.accessTags.get(caller.platformId, id);
    if (!canReadTag(caller, tag))
      throw new ForbiddenError('Only its author, admins and creators see this tag.');
    return presentAccessTag(tag);
  }

  async add(caller: Caller, { title, AuthorId = null }: AddAccessTagDto): Promise<AddedAccessTagDto> {
    if (!canAddTagFor(caller, AuthorId)) throw new ForbiddenError('Only admins name another author.');
    const PlatformId = caller.platformId;
    if (AuthorId !== null && AuthorId !== caller.userId) {
      refuseUnknownIds({ AuthorId: await this.accessTags.unknownUserIds(PlatformId, [AuthorId]) });
    }
    return { success: 'true', id: await this.accessTags.addOrFind({ PlatformId, AuthorId, title }) };
  }

  async remove(caller: Caller, id: number): Promise<DeletedGateEntryDto> {
    return this.db.transaction(async () => {
      const tag = await this.accessTags.lock(caller.platformId, id);
      if (!canDeleteTag(caller, tag)) throw new ForbiddenError('Only its author and admins delete this tag.');
      const event = { platformId: caller.platformId, accessTagId: id };
      const affected = allAffected(await this.events.publish(ACCESS_TAG_DELETED, event));
      await this.accessTags.remove(tag);
      await this.audit.record({
        platformId: caller.platformId,
        actorId: caller.userId,
        action: 'access-tag.delete',
        target: { type: 'access-tag', id },
      });
      return { message: 'Access tag deleted.', id, affected };
    });
  }

  async holders(caller: Caller, id: number, query: ListHoldersQuery): Promise<Page<AccessTagHolderDto>> {
    const tag = await this.accessTags.get(caller.platformId, id);
    const { rows, total } = await this.accessTags.holders(tag, query);
    return pageOf(rows.map(presentHolder), total, query);
  }

  async grant(
    caller: Caller,
    id: number,
    { userIds, expiresAt }: GrantAccessTagDto,
  ): Promise<ChangedHoldersDto> {
    const { platformId } = caller;
    const end = await this.platforms.instant(platformId, expiresAt, 'expiresAt');
    return this.db.transaction(async () => {
      await this.accessTags.lockHolders(platformId, userIds);
      const tag = await this.accessTags.lock(platformId, id);
      refuseUnknownIds({ userIds: await this.accessTags.unknownUserIds(platformId, userIds) });
      const changed = await this.accessTags.grant(tag, userIds, end);
      await this.refuseTooMany('userIds', userIds);
      await this.recordHolders(
        caller,
        'access-tag.grant',
        id,
        changed,
        end === undefined ? [] : ['expiresAt'],
      );
      return { success: 'true', count: new Set(userIds).size };
    });
  }

  async revoke(caller: Caller, id: number, { userIds }: RevokeAccessTagDto): Promise<ChangedHoldersDto> {
    return this.db.transaction(async () => {
      const tag = await this.accessTags.get(caller.platformId, id);
      const revoked = await this.accessTags.revoke(tag, userIds);
      await this.recordHolders(caller, 'access-tag.revoke', id, revoked);
      return { success: 'true', count: revoked.length };
    });
  }

  /**
   * The user, whom the caller has locked, holds these tags of the platform and no others.
   * @returns whether that changed anything
   */
  async replaceAllOf(user: PlatformRecord, tagIds: number[]): Promise<boolean> {
    const changed = await this.accessTags.replaceAllOf(user, tagIds);
    await this.refuseTooMany('AccessTagIds', [user.id]);
    return changed;
  }

  /** A user who is deleted holds no tag. */
  async releaseAllOf(userId: number): Promise<void> {
    await this.accessTags.releaseAllOf(userId);
  }

  private recordHolders(
    { platformId, userId: actorId }: Caller,
    action: string,
    tagId: number,
    userIds: number[],
    fields: string[] = [],
  ): Promise<void> {
    const target = (userId: number) => ({ type: 'access-tag-holder', id: `${tagId}/${userId}` });
    return this.audit.record(
      ...userIds.map((userId) => ({ platformId, actorId, action, target: target(userId), fields })),
    );
  }

  /** To be called in the transaction that granted them, with the lock on the users. @param field names them */
  private async refuseTooMany(field: string, userIds: number[]): Promise<void> {
    const over = await this.accessTags.holdersOfMore(MOST_HELD, userIds);
    if (over.length === 0) return;
    throw ValidationError.of(
      field,
      `more than ${MOST_HELD} access tags would be held by: ${over.join(', ')}`,
    );
  }
}
