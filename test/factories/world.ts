import type { AdDto, RunningAdDto } from '../../src/ads/dto/ad.dto';
import type { ContentDto } from '../../src/content/dto/content.dto';
import type { SaveContentDto } from '../../src/content/dto/save-content.dto';
import { PasswordsService } from '../../src/kernel/passwords/passwords.service';
import { PlatformsService } from '../../src/platforms/platforms.service';
import type { Role } from '../../src/kernel/callers/roles';
import { TokensService } from '../../src/sessions/tokens.service';
import type { User } from '../../src/users/user.entity';
import { UsersService } from '../../src/users/users.service';
import { recordSecret } from '#libs/testing';
import type { Client } from '../support/client';
import type { TestApp } from '../support/test-app';

export const PEOPLE = {
  admin: { role: 'admin' },
  creator: { role: 'creator' },
  otherCreator: { role: 'creator' },
  premium: { role: 'premium' },
  basic: { role: 'basic' },
  free: { role: 'free' },
  otherFree: { role: 'free' },
  pending: { role: 'free', status: 'pending' },
  banned: { role: 'free' },
} as const satisfies Record<string, { role: Role; status?: 'pending' }>;

export type Person = keyof typeof PEOPLE;
export type PlatformName = 'A' | 'B';

/** What an ad needs to run. */
export const AD = { title: 'An ad', linkUrl: 'https://example.org/', placement: 'home', status: 'active' };

export const PASSWORD = 'correct horse battery';

interface PlatformWorld {
  id: number;
  users: Record<Person, User>;
  tokens: Record<Person, string>;
}

/** Two platforms with mirrored people, and a caller for each of them: `world.as('admin', 'B')`. */
export class World {
  private constructor(
    readonly test: TestApp,
    readonly platforms: Record<PlatformName, PlatformWorld>,
  ) {}

  static async create(test: TestApp): Promise<World> {
    return new World(test, { A: await createPlatform(test, 'A'), B: await createPlatform(test, 'B') });
  }

  readonly anonymous = (): Client => this.test.client();

  as(person: Person, platform: PlatformName = 'A'): Client {
    return this.test.client({ authorization: `Bearer ${this.platforms[platform].tokens[person]}` });
  }

  user(person: Person, platform: PlatformName = 'A'): User {
    return this.platforms[platform].users[person];
  }

  /** One more token of the person, for a session of its own. */
  async newToken(person: Person, platform: PlatformName = 'A'): Promise<string> {
    const token = await this.test.get(TokensService).issue(this.user(person, platform), 'password');
    recordSecret(token);
    return token;
  }

  /** Lets the person sign in with a password; most tests need none, and hashing takes its time. */
  async givePassword(person: Person, platform: PlatformName = 'A', password = PASSWORD): Promise<void> {
    const user = this.user(person, platform);
    const hash = await this.test.get(PasswordsService).hash(password, user);
    await this.test.db.dataSource.query(`update users set "passwordHash" = $2 where id = $1`, [
      user.id,
      hash,
    ]);
  }

  platformId(platform: PlatformName = 'A'): number {
    return this.platforms[platform].id;
  }

  /** Leaves platform A with these settings and else the usual ones. */
  async settings(values: object): Promise<void> {
    await this.test.db.dataSource.query('update platforms set settings = $2 where id = $1', [
      this.platformId(),
      JSON.stringify(values),
    ]);
  }

  /** A public article of the creator, or whatever else is said. */
  async content(
    values: Partial<SaveContentDto> = {},
    platform: PlatformName = 'A',
    author: Person = 'creator',
  ): Promise<ContentDto> {
    const { status, body } = await this.as(author, platform).post<[ContentDto, boolean]>('/api/content', {
      title: 'An article',
      type: 'article',
      visibility: 'public',
      description: '<p>Its text.</p>',
      ...values,
    });
    if (status !== 200) throw new Error(`The content was not created: ${JSON.stringify(body)}`);
    return body[0];
  }

  async group(values: object = {}, platform: PlatformName = 'A'): Promise<{ id: number; name: string }> {
    const { body } = await this.as('admin', platform).post('/api/group', { name: 'A group', ...values });
    return body[0];
  }

  /** Puts the person in a group of their platform. */
  async join(groupId: number, person: Person, role = 'member', status = 'active'): Promise<void> {
    await this.test.db.dataSource.query(
      `insert into group_members ("PlatformId", "GroupId", "UserId", role, status) values ($1, $2, $3, $4, $5)`,
      [this.platformId(), groupId, this.user(person).id, role, status],
    );
  }

  /** A group with these people in these roles. */
  async groupOf(
    people: Partial<Record<Person, string>>,
    values: object = {},
  ): Promise<{ id: number; name: string }> {
    const group = await this.group(values);
    for (const [person, role] of Object.entries(people)) await this.join(group.id, person as Person, role);
    return group;
  }

  async collection(values: object = {}, platform: PlatformName = 'A'): Promise<{ id: number }> {
    const { body } = await this.as('admin', platform).post('/api/collection', { name: 'C', ...values });
    return body[0];
  }

  /** An ad that runs on the homepage, or whatever else is said. */
  async ad(values: object = {}, author: Person = 'creator', platform: PlatformName = 'A'): Promise<AdDto> {
    const { status, body } = await this.as(author, platform).post<[AdDto, boolean]>('/api/ad', {
      ...AD,
      ...values,
    });
    if (status !== 200) throw new Error(`The ad was not created: ${JSON.stringify(body)}`);
    return body[0];
  }

  /** The ads of platform A that run now, as the client is shown them. */
  async runningAds(more = '', client: Client = this.anonymous()): Promise<RunningAdDto[]> {
    const { status, body } = await client.get(`/api/ads?PlatformId=${this.platformId()}&${more}`);
    if (status !== 200) throw new Error(`The ads were not listed: ${JSON.stringify(body)}`);
    return body;
  }

  /** The token that the running ad is shown with, or nothing when it is not shown. */
  async adToken(id: number): Promise<string> {
    const ad = (await this.runningAds('limit=50')).find((one) => one.id === id);
    return ad?.impressionToken ?? '';
  }

  /** A post with a text of its own, or an edit of one; `[post, created]`. */
  async savePost(author: Person, values: object = {}, platform: PlatformName = 'A'): Promise<any> {
    const { status, body } = await this.as(author, platform).post('/api/post', {
      ...('id' in values ? {} : { message: `Said ${++said}` }),
      ...values,
    });
    if (status !== 200) throw new Error(`The post was not saved: ${JSON.stringify(body)}`);
    return body;
  }

  async post(...of: Parameters<World['savePost']>): Promise<any> {
    return (await this.savePost(...of))[0];
  }

  async comment(
    contentId: number,
    values: object = {},
    author: Person = 'free',
    platform: PlatformName = 'A',
  ): Promise<{ id: number }> {
    const { body } = await this.as(author, platform).post('/api/chat', {
      contentId,
      message: `<p>Said ${++said}</p>`,
      ...values,
    });
    return body[0];
  }
}

let said = 0;

async function createPlatform(test: TestApp, name: PlatformName): Promise<PlatformWorld> {
  const users = test.get(UsersService);
  const tokens = test.get(TokensService);
  const id = await test
    .get(PlatformsService)
    .create({ name: `Platform ${name}`, slug: `platform-${name.toLowerCase()}` });
  const world = { id, users: {}, tokens: {} } as PlatformWorld;
  for (const [person, values] of Object.entries(PEOPLE) as [Person, (typeof PEOPLE)[Person]][]) {
    const user = await users.add({
      PlatformId: id,
      // The same people on both platforms: an address is unique within one.
      email: `${person.toLowerCase()}@people.test`,
      name: `${person} of ${name}`,
      ...values,
    });
    world.users[person] = user;
    world.tokens[person] = await tokens.issue(user, 'password');
    recordSecret(world.tokens[person]);
  }
  await test.db.dataSource.query(`update users set "bannedAt" = now() where id = $1`, [
    world.users.banned.id,
  ]);
  return world;
}
