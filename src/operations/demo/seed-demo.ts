import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { AdsService } from '../../ads/ads.service';
import { ChatService } from '../../chat/chat.service';
import { CollectionsService } from '../../collections/collections.service';
import { ContentService } from '../../content/content.service';
import { GroupsService } from '../../groups/groups.service';
import { KeywordsService } from '../../keywords/keywords.service';
import { PlatformsService } from '../../platforms/platforms.service';
import { PostsService } from '../../posts/posts.service';
import { ReactionsService } from '../../reactions/reactions.service';
import type { Caller } from '../../kernel/callers/caller';
import type { User } from '../../users/user.entity';
import { UsersService } from '../../users/users.service';
import {
  ADS,
  ARTICLES,
  COLLECTIONS,
  COMMENTS,
  GROUPS,
  KEYWORDS,
  PEOPLE,
  PLATFORM,
  REACTIONS,
} from './demo-data';

export interface DemoSignIn {
  role: string;
  email: string;
  password: string;
}
export interface Demo {
  signIns: DemoSignIn[];
}

/**
 * Fills an empty database with a platform to look at, through the same services as any client would.
 * @returns the people and their passwords, which nothing else knows; null when the database was not empty
 */
export async function seedDemo(app: INestApplicationContext): Promise<Demo | null> {
  const platforms = app.get(PlatformsService, { strict: false });
  if (!(await platforms.isEmpty())) return null;
  const PlatformId = await platforms.create(PLATFORM);
  const { people, signIns } = await addPeople(app.get(UsersService, { strict: false }), PlatformId);
  const admin = callerOf(people.admin);
  const as = (name: string): Caller => callerOf(people[name as keyof typeof PEOPLE] ?? people.admin);
  const ids = await addRecords(app, admin, as);
  await addConversation(app, as, ids);
  return { signIns };
}

async function addPeople(users: UsersService, PlatformId: number) {
  const people = {} as Record<keyof typeof PEOPLE, User>;
  const signIns: DemoSignIn[] = [];
  for (const [key, person] of Object.entries(PEOPLE) as [
    keyof typeof PEOPLE,
    (typeof PEOPLE)[keyof typeof PEOPLE],
  ][]) {
    const password = randomBytes(9).toString('base64url');
    people[key] = await users.add({ PlatformId, password, ...person });
    signIns.push({ role: person.role, email: person.email, password });
  }
  return { people, signIns };
}

async function addRecords(app: INestApplicationContext, admin: Caller, as: (name: string) => Caller) {
  const groups = app.get(GroupsService, { strict: false });
  const keywords = app.get(KeywordsService, { strict: false });
  const contents = app.get(ContentService, { strict: false });
  const posts = app.get(PostsService, { strict: false });
  const collections = app.get(CollectionsService, { strict: false });
  const ads = app.get(AdsService, { strict: false });
  const groupIds = new Map<string, number>();
  for (const { members, ...group } of GROUPS) {
    const [{ id, name }] = await groups.save(admin, group);
    groupIds.set(name, id);
    for (const member of members) await groups.replaceMemberships(admin.platformId, as(member).userId, [id]);
  }
  const keywordIds = new Map<string, number>();
  for (const keyword of KEYWORDS) {
    const [{ id, title }] = await keywords.save(admin, keyword);
    keywordIds.set(title, id);
  }
  const contentIds = new Map<string, number>();
  for (const { author, group, keyword, pinned, ...article } of ARTICLES) {
    const [{ id, title }] = await contents.save(as(author), {
      ...article,
      GroupIds: group ? [groupIds.get(group) ?? 0] : undefined,
      KeywordIds: keyword ? [keywordIds.get(keyword) ?? 0] : undefined,
    });
    contentIds.set(title, id);
    if (pinned) await posts.pin(admin, id, { pinned });
  }
  const collectionIds = new Map<string, number>();
  for (const { titles, ...collection } of COLLECTIONS) {
    const [{ id, name }] = await collections.save(admin, {
      ...collection,
      ContentIds: titles.map((title) => contentIds.get(title) ?? 0),
    });
    collectionIds.set(name, id);
  }
  for (const { collection, ...ad } of ADS) {
    await ads.save(admin, { ...ad, CollectionIds: collection ? [collectionIds.get(collection) ?? 0] : [] });
  }
  return contentIds;
}

async function addConversation(
  app: INestApplicationContext,
  as: (name: string) => Caller,
  contentIds: Map<string, number>,
): Promise<void> {
  const chat = app.get(ChatService, { strict: false });
  const reactions = app.get(ReactionsService, { strict: false });
  for (const { on, by, message, replies = [] } of COMMENTS) {
    const contentId = contentIds.get(on);
    const [{ id }] = await chat.save(as(by), { contentId, message });
    await reactions.add(as('member'), { kind: 'comment', id }, { emoji: 'heart' });
    for (const reply of replies) {
      await chat.save(as(reply.by), { contentId, message: reply.message, parentCommentId: id });
    }
  }
  for (const { on, by, emoji } of REACTIONS) {
    await reactions.add(as(by), { kind: 'content', id: contentIds.get(on) ?? 0 }, { emoji });
  }
}

/** The demo's people act before they have signed in. */
const callerOf = ({ id, PlatformId, role }: User): Caller => ({
  userId: id,
  platformId: PlatformId,
  role,
  pending: false,
  banned: false,
  sessionId: '',
  kind: 'created',
});
