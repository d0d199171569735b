import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError, refuseUnknownIds } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, required, type SuccessDto, warn } from '#libs/http';
import { Markup } from '#libs/markup';
import { refuseReversedDates, runningTime } from '#libs/time';
import { AuditService } from '../kernel/audit/audit.service';
import { ContentService } from '../content/content.service';
import { GroupsService } from '../groups/groups.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, isSelfOrAdmin } from '../kernel/callers/caller';
import { UsersService } from '../users/users.service';
import type { Collection } from './collection.entity';
import { CollectionReadsService } from './collection-reads.service';
import { canEditCollection } from './collections.policy';
import { CollectionsRepository } from './collections.repository';
import type { CollectionDto } from './dto/collection.dto';
import type { ReorderCollectionsDto } from './dto/reorder-collections.dto';
import type { SaveCollectionDto } from './dto/save-collection.dto';

/** What a slug has at most. */
const SLUG_LENGTH = 120;

/** Sanitised; what the request leaves out is undefined and stays. */
type Description = Collection['description'] | undefined;

@Injectable()
export class CollectionsService {
  constructor(
    private readonly db: Database,
    private readonly collections: CollectionsRepository,
    private readonly reads: CollectionReadsService,
    private readonly contents: ContentService,
    private readonly groups: GroupsService,
    private readonly platforms: PlatformsService,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly markup: Markup,
  ) {}

  async save(caller: Caller, dto: SaveCollectionDto): Promise<AddedOrEdited<CollectionDto>> {
    if (dto.PlatformId !== undefined && dto.PlatformId !== caller.platformId) {
      throw new ForbiddenError('This is not your platform.');
    }
    // Before the transaction: a long text waits for its turn, and keeps no connection meanwhile.
    const description = await this.description(dto);
    return this.db.transaction(async () => {
      const before = dto.id == null ? null : await this.lock(caller, dto.id);
      if (before) await this.edit(caller, before, dto, description);
      const id = before?.id ?? (await this.add(caller, dto, description));
      const collection = await this.collections.get(caller.platformId, id);
      await this.replaceLinks(caller, collection, dto);
      const saved = await this.reads.read(caller, id);
      if (before?.gateClosed) warn(`gate-opened ${saved.GroupIds?.length ? 'gated' : 'everyone'}`);
      return [saved, !before];
    });
  }

  /** All or nothing, and of many at once one order stands whole. */
  async reorder(caller: Caller, { collectionIds }: ReorderCollectionsDto): Promise<SuccessDto> {
    await this.db.transaction(async () => {
      const found = await this.collections.owners(caller.platformId, collectionIds);
      if (found.length < collectionIds.length) throw new NotFoundError();
      if (!found.every((collection) => canEditCollection(caller, collection))) {
        throw new ForbiddenError('One of these collections is not yours to move.');
      }
      await this.collections.reorder(caller.platformId, collectionIds);
    });
    return { success: true };
  }

  async remove(caller: Caller, id: number): Promise<DeletedDto> {
    return this.db.transaction(async () => {
      const collection = await this.collections.lock(caller.platformId, id);
      if (!canEditCollection(caller, collection)) {
        // To those who may not even see it, it does not exist.
        await this.reads.read(caller, id);
        throw new ForbiddenError('Only its owner and admins delete a collection.');
      }
      await this.collections.remove(collection);
      await this.audit.record({
        platformId: caller.platformId,
        actorId: caller.userId,
        action: 'collection.delete',
        target: { type: 'collection', id },
      });
      return { message: 'Collection deleted.', id };
    });
  }

  private async add(caller: Caller, dto: SaveCollectionDto, description: Description): Promise<number> {
    const { name } = required(dto, 'name');
    const PlatformId = caller.platformId;
    const slug =
      (await this.collections.holdSlug(PlatformId, dto.slug)) ??
      (await this.collections.freeSlug(PlatformId, name, 'collection', SLUG_LENGTH));
    const position = dto.position ?? (await this.collections.nextPosition(PlatformId));
    const UserId = await this.owner(caller, dto.UserId ?? caller.userId);
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields);
    return this.collections.add({ ...fields, description, name, slug, position, PlatformId, UserId });
  }

  private async edit(
    caller: Caller,
    collection: Collection,
    dto: SaveCollectionDto,
    description: Description,
  ): Promise<void> {
    const fields = await this.fields(caller, dto);
    refuseReversedDates(fields, collection);
    await this.collections.change(collection, {
      ...fields,
      description,
      name: dto.name,
      slug: await this.collections.holdSlug(caller.platformId, dto.slug),
      position: dto.position,
      // One that stays is not asked about: the owner may be gone.
      UserId:
        dto.UserId === undefined || dto.UserId === collection.UserId
          ? undefined
          : await this.owner(caller, dto.UserId),
      gateClosed: false,
    });
  }

  /** The published interface answers 403, not 404, for collections that are not the caller's to change. */
  private async lock(caller: Caller, id: number): Promise<Collection> {
    const found = await this.collections.findLocked(caller.platformId, id);
    if (!found || !canEditCollection(caller, found)) {
      throw new ForbiddenError('This collection is not yours to change.');
    }
    return found;
  }

  private async description({ description }: SaveCollectionDto): Promise<Description> {
    return description == null ? description : (await this.markup.article(description)).html;
  }

  private async fields(caller: Caller, dto: SaveCollectionDto): Promise<Partial<Collection>> {
    return {
      ...runningTime(dto, await this.platforms.timezone(caller.platformId)),
      collectionBGImage: dto.collectionBGImage,
      collectionType: dto.collectionType,
      sortPreference: dto.sortPreference,
      showOnHomepage: dto.showOnHomepage,
    };
  }

  private async owner(caller: Caller, userId: number): Promise<number> {
    if (!isSelfOrAdmin(caller, userId)) throw new ForbiddenError('Only admins name another owner.');
    if (userId !== caller.userId)
      refuseUnknownIds({ UserId: await this.users.unknownIds(caller.platformId, [userId]) });
    return userId;
  }

  private async replaceLinks(caller: Caller, collection: Collection, dto: SaveCollectionDto): Promise<void> {
    const { GroupIds, ContentIds } = dto;
    refuseUnknownIds({
      GroupIds: await this.groups.unknownIds(caller.platformId, GroupIds ?? []),
      ContentIds: await this.contents.unknownIds(caller.platformId, ContentIds ?? []),
    });
    if (GroupIds) await this.collections.replaceGroups(collection, GroupIds);
    if (ContentIds) await this.collections.replaceContents(collection, ContentIds);
  }
}
