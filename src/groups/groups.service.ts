import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { ForbiddenError, refuseUnknownIds } from '#libs/errors';
import { type AddedOrEdited, type NamedDto, required } from '#libs/http';
import { sanitizeArticle, slugify } from '#libs/text';
import { AccessTagsService } from '../access-tags/access-tags.service';
import { type Caller, isAdmin } from '../sessions/caller';
import type { GroupDto } from './dto/group.dto';
import type { SaveGroupDto } from './dto/save-group.dto';
import type { Group } from './group.entity';
import { presentGroup } from './group.presenter';
import { GroupsRepository } from './groups.repository';

const SLUG_LENGTH = 80;

@Injectable()
export class GroupsService {
  constructor(
    private readonly db: Database,
    private readonly groups: GroupsRepository,
    private readonly accessTags: AccessTagsService,
    private readonly clock: Clock,
  ) {}

  async save(caller: Caller, dto: SaveGroupDto): Promise<AddedOrEdited<GroupDto>> {
    return this.db.transaction(async () => {
      const group = dto.id == null ? await this.create(caller, dto) : await this.edit(caller, dto.id, dto);
      if (dto.AccessTagIds) await this.replaceAccessTags(group, dto.AccessTagIds);
      return [await this.present(group, caller), dto.id == null];
    });
  }

  ofUser(platformId: number, userId: number): Promise<NamedDto[]> {
    return this.groups.ofUser({ platformId, userId });
  }

  /** Which of the ids are no groups of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.groups.unknownIds(platformId, ids);
  }

  /** Which of the ids are not open to the caller's posts. */
  async closedToPosts(caller: Caller, ids: number[]): Promise<number[]> {
    const open = new Set(await this.groups.postableIds(caller, ids));
    return ids.filter((id) => !open.has(id));
  }

  replaceMemberships(platformId: number, userId: number, groupIds: number[]): Promise<void> {
    return this.groups.replaceMemberships(platformId, userId, groupIds);
  }

  private async create(caller: Caller, dto: SaveGroupDto): Promise<Group> {
    const { name } = required(dto, 'name');
    const PlatformId = caller.platformId;
    const slug = dto.slug ?? (await this.groups.freeSlug(PlatformId, slugify(name, SLUG_LENGTH) || 'group'));
    const position = await this.groups.nextPosition(PlatformId);
    const { id } = await this.groups.insert({
      ...fields(dto),
      name,
      slug,
      position,
      PlatformId,
      UserId: caller.userId,
    });
    await this.groups.addOwner(await this.groups.get(PlatformId, id));
    return this.groups.get(PlatformId, id);
  }

  private async edit(caller: Caller, id: number, dto: SaveGroupDto): Promise<Group> {
    const group = await this.groups.lock(caller.platformId, id);
    if (!isAdmin(caller) && group.UserId !== caller.userId) {
      throw new ForbiddenError('Only the owner and admins edit a group.');
    }
    await this.groups.update(group.PlatformId, id, { ...fields(dto), updatedAt: this.clock.now() });
    return this.groups.get(group.PlatformId, id);
  }

  private async replaceAccessTags(group: Group, tagIds: number[]): Promise<void> {
    refuseUnknownIds({ AccessTagIds: await this.accessTags.unknownIds(group.PlatformId, tagIds) });
    await this.groups.replaceAccessTags(group, tagIds);
  }

  private async present(group: Group, caller: Caller): Promise<GroupDto> {
    return presentGroup(
      group,
      await this.groups.accessTagIds(group.id),
      await this.groups.membership(group.id, caller.userId),
    );
  }
}

/** What a request may set; what it leaves out is undefined and stays. */
const fields = (dto: SaveGroupDto): Partial<Group> => ({
  name: dto.name,
  slug: dto.slug,
  description: dto.description == null ? dto.description : sanitizeArticle(dto.description),
  photoUrl: dto.photoUrl,
  bannerImageUrl: dto.bannerImageUrl,
  visibility: dto.visibility,
  joinPolicy: dto.joinPolicy,
  postPolicy: dto.postPolicy,
  archived: dto.archived,
});
