import { AccessTag } from '../../access-tags/access-tag.entity';
import { Ad } from '../../ads/ad.entity';
import { Comment } from '../../chat/comment.entity';
import { Collection } from '../../collections/collection.entity';
import { Content } from '../../content/content.entity';
import { GroupMember } from '../../groups/group-member.entity';
import { Group } from '../../groups/group.entity';
import { Keyword } from '../../keywords/keyword.entity';
import { Platform } from '../../platforms/platform.entity';
import { Reaction } from '../../reactions/reaction.entity';
import { Session } from '../../sessions/session.entity';
import { User } from '../../users/user.entity';

export const ENTITIES = [
  Platform,
  User,
  Session,
  AccessTag,
  Group,
  GroupMember,
  Keyword,
  Content,
  Collection,
  Ad,
  Comment,
  Reaction,
];
