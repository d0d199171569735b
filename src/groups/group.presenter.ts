import type { GroupDto, MembershipDto } from './dto/group.dto';
import type { GroupMember } from './group-member.entity';
import type { Group } from './group.entity';

export const presentGroup = (group: Group, accessTagIds: number[], mine: GroupMember | null): GroupDto => ({
  id: group.id,
  name: group.name,
  slug: group.slug,
  description: group.description,
  PlatformId: group.PlatformId,
  UserId: group.UserId,
  photoUrl: group.photoUrl,
  bannerImageUrl: group.bannerImageUrl,
  visibility: group.visibility,
  joinPolicy: group.joinPolicy,
  postPolicy: group.postPolicy,
  AccessTagIds: accessTagIds,
  position: group.position,
  memberCount: group.memberCount,
  archived: group.archived,
  createdAt: group.createdAt,
  updatedAt: group.updatedAt,
  myMembership: mine && presentMembership(mine),
});

export const presentMembership = (member: GroupMember): MembershipDto => ({
  UserId: member.UserId,
  GroupId: member.GroupId,
  role: member.role,
  status: member.status,
  source: member.source,
  expiresAt: member.expiresAt,
  createdAt: member.createdAt,
});
