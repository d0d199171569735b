import { ApiProperty } from '@nestjs/swagger';
import { DeletedDto, PageDto } from '#libs/http';
import { AuthorDto } from '../../kernel/people/author.dto';
import { MembershipDto } from './group.dto';

/** Someone who belongs to a group. */
export class GroupMemberDto extends MembershipDto {
  User!: AuthorDto;
}

export class GroupMemberPageDto extends PageDto(GroupMemberDto) {}

/** Someone who asks to join a group. */
export class JoinRequestDto extends GroupMemberDto {
  /**
   * In their own words.
   * @example "I sail a Folkboat."
   */
  reason!: string | null;
}

export class JoinRequestPageDto extends PageDto(JoinRequestDto) {}

export class AddedMembersDto {
  @ApiProperty({ example: true })
  success!: boolean;

  /**
   * How many are new to the group.
   * @example 2
   */
  added!: number;

  /**
   * How many had a membership or a request, which was changed.
   * @example 1
   */
  updated!: number;
}

/** `id` is the user whose membership has ended. */
export class RemovedMemberDto extends DeletedDto {}

/** `id` is the group that was left. */
export class LeftGroupDto extends DeletedDto {}

export class DecidedRequestDto {
  @ApiProperty({ example: true })
  success!: boolean;

  /** The new membership; null when the request was rejected. */
  membership!: MembershipDto | null;
}
