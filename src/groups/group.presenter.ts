import { type AuthorRow, presentAuthor } from '../kernel/people/author.presenter';
import type { GroupDto, MembershipDto } from './dto/group.dto';
import type { GroupMemberDto, JoinRequestDto } from './dto/group-member.dto';
import type { GroupMember } from './group-member.entity';
import type { Group } from './group.entity';

/** The viewer's own membership, or nulls. */
type MyMembership = {
  myUserId: number | null;
  myRole: GroupMember['role'] | null;
  myStatus: GroupMember['status'] | null;
  mySource: GroupMember['source'] | null;
  myExpiresAt: Date | null;
  mySince: Date | null;
};

/** A group as the repository's lists and reads answer it. */
export type GroupRow = Omit<Group, 'nameKey'> & MyMembership & { AccessTagIds: number[] };

export type MembershipRow = Omit<GroupMember, 'PlatformId'>;
export type MemberRow = MembershipRow & AuthorRow;

/** The viewer's membership of a group that was read for them. */
export function myMembership(row: GroupRow): MembershipDto | null {
  const { myUserId, myRole, myStatus, mySource, mySince } = row;
  if (myUserId === null || myRole === null || myStatus === null || mySource === null || mySince === null) {
    return null;
  }
  return {
    UserId: myUserId,
    GroupId: row.id,
    role: myRole,
    status: myStatus,
    source: mySource,
    expiresAt: row.myExpiresAt,
    createdAt: mySince,
  };
}

export const presentGroup = (row: GroupRow): GroupDto => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  PlatformId: row.PlatformId,
  UserId: row.UserId,
  photoUrl: row.photoUrl,
  bannerImageUrl: row.bannerImageUrl,
  visibility: row.visibility,
  joinPolicy: row.joinPolicy,
  postPolicy: row.postPolicy,
  AccessTagIds: row.AccessTagIds,
  position: row.position,
  memberCount: row.memberCount,
  archived: row.archived,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  myMembership: myMembership(row),
});

export const presentMembership = (member: MembershipDto): MembershipDto => ({
  UserId: member.UserId,
  GroupId: member.GroupId,
  role: member.role,
  status: member.status,
  source: member.source,
  expiresAt: member.expiresAt,
  createdAt: member.createdAt,
});

export const presentMember = (row: MemberRow): GroupMemberDto => ({
  ...presentMembership(row),
  User: presentAuthor(row),
});

export const presentRequest = (row: MemberRow): JoinRequestDto => ({
  ...presentMember(row),
  reason: row.reason,
});
