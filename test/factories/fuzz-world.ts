import { createHash } from 'node:crypto';
import { mac } from '#libs/crypto';
import { ImpressionTokens } from '../../src/ads/impression-tokens';
import { TokensService } from '../../src/sessions/tokens.service';
import type { Client } from '../support/client';
import type { TestApp } from '../support/test-app';
import { claimsOf, tokenCookie } from '../support/tokens';
import { PEOPLE, type Person, type PlatformName, World } from './world';

/*
 * Two platforms on which anybody may call anything, again and again: what random requests wear down, `mend` renews.
 * Records that only some may see hold marks, which say who may.
 */

export const OTP = '042517';
export const RESET_LINK = 'link-for-the-fuzz';
export const CODE = 'dock-2026';

/** Who calls; nobody of platform B but its admin. */
export const CALLERS = {
  admin: ['admin', 'A'],
  creator: ['creator', 'A'],
  basic: ['basic', 'A'],
  free: ['free', 'A'],
  banned: ['banned', 'A'],
  pending: ['pending', 'A'],
  byCookie: ['otherFree', 'A'],
  adminElsewhere: ['admin', 'B'],
  anonymous: null,
  badToken: null,
  serviceSecret: null,
} as const satisfies Record<string, readonly [Person, PlatformName] | null>;
export type CallerName = keyof typeof CALLERS;

/** What a request may refer to. */
export const KINDS = [
  'ad',
  'collection',
  'comment',
  'content',
  'email',
  'group',
  'keyword',
  'platform',
  'post',
  'tag',
  'user',
  'contentSlug',
  'groupSlug',
  'collectionSlug',
  'platformSlug',
  'cursor',
  // One each, so that what belongs together is found together.
  'account',
  'countedAd',
  'impression',
  'joined',
  'member',
  'asked',
  'asker',
  'ownSession',
] as const;
export type Kind = (typeof KINDS)[number];
type Pool = Partial<Record<Kind, (number | string)[]>>;

/** `staff` and `admin` of the platform may read it; `unlisted` is found by those who know of it, but in no list. */
type Sight = 'staff' | 'admin' | 'unlisted';
const MARK = /zq([ab])(staff|admin|unlisted)\d+z/g;
const LISTS =
  /^(content_search|content_searchPlatform|contentLists_list|contentLists_related|posts_list|feed_read)$/;

const PLATFORMS: PlatformName[] = ['A', 'B'];

export class FuzzWorld {
  /** How many marks those have read who may: when there are none, nothing could have leaked either. */
  seen = 0;
  private marks = 0;
  private readonly plain: Record<PlatformName, Pool> = { A: {}, B: {} };
  private readonly marked: Record<PlatformName, Pool> = { A: {}, B: {} };
  private readonly clients = {} as Record<CallerName, Client>;
  private readonly sessions = {} as Record<CallerName, string>;
  private people: { id: number; emailKey: string }[] = [];
  private sessionRows: unknown[] = [];
  private platformRows: object[] = [];

  private constructor(
    private readonly test: TestApp,
    private readonly world: World,
  ) {}

  static async create(test: TestApp): Promise<FuzzWorld> {
    const fuzz = new FuzzWorld(test, await World.create(test));
    await fuzz.addCallers();
    for (const platform of PLATFORMS) {
      await fuzz.query(
        `update platforms set "homepageUrl" = $2, "homepageKey" = $3, "basicToken" = $4, "premiumToken" = $5 where id = $1`,
        [
          fuzz.world.platformId(platform),
          `https://${platform.toLowerCase()}.example.org`,
          `${platform.toLowerCase()}.example.org`,
          CODE,
          fuzz.mark(platform, 'admin'),
        ],
      );
      await fuzz.fill(platform);
    }
    // Only now, so that low numbers are those of records that anybody may hit.
    for (const platform of PLATFORMS) await fuzz.addMarked(platform);
    const [rows] = await fuzz.query(
      `select (select json_agg(to_jsonb(u) - 'nameStarts') from users u where id = any($1)) as people,
              (select json_agg(s) from sessions s where "UserId" = any($1)) as sessions,
              (select json_agg(p) from platforms p) as platforms`,
      [PLATFORMS.flatMap((platform) => fuzz.peopleOf(platform))],
    );
    fuzz.people = rows.people;
    fuzz.sessionRows = rows.sessions;
    fuzz.platformRows = rows.platforms;
    await fuzz.mend();
    return fuzz;
  }

  as(caller: CallerName): Client {
    return this.clients[caller];
  }

  /** The record meant by a request of this caller; the platform is the caller's own unless it says otherwise. */
  find(kind: Kind, foreign: boolean, at: number, caller: CallerName, writes: boolean): number | string {
    const [person = 'free', home = 'A'] = CALLERS[caller] ?? [];
    const platform = foreign ? other(home) : home;
    if (kind === 'ownSession') return this.sessions[caller];
    if (kind === 'impression') {
      return this.test.get(ImpressionTokens).issue(Number(this.plain[platform].countedAd?.[0]));
    }
    // What staff write may show to anybody what is marked.
    const mayPublish = writes && (person === 'admin' || person === 'creator');
    const pool = [
      ...(this.plain[platform][kind] ?? []),
      ...(mayPublish ? [] : (this.marked[platform][kind] ?? [])),
    ];
    return pool[at % pool.length] ?? 2_000_000_000;
  }

  /** Keeps what an answer gave that later requests can use. */
  learn(caller: CallerName, body: unknown): void {
    const [, platform = 'A'] = CALLERS[caller] ?? [];
    const cursor = (body as { nextCursor?: unknown } | null)?.nextCursor;
    if (typeof cursor === 'string') this.plain[platform].cursor = [cursor];
  }

  /** The marks in the text that this caller may not see. */
  leaks(caller: CallerName, operationId: string, text: string): string[] {
    const [person, home] = CALLERS[caller] ?? [];
    const marks = [...text.matchAll(MARK)];
    const leaked = marks
      .filter(([, platform, sight]) => {
        const mine = home?.toLowerCase() === platform && person !== 'pending';
        if (mine && person === 'admin') return false;
        if (sight === 'unlisted') return LISTS.test(operationId) && !(mine && person === 'creator');
        return !(mine && sight === 'staff' && person === 'creator');
      })
      .map(([mark]) => mark);
    this.seen += marks.length - leaked.length;
    return leaked;
  }

  /** People, sessions and platforms as they were; and enough records of each kind. */
  async mend(): Promise<void> {
    await this.mendPeople();
    await this.query(`update platforms set slug = 'mending-' || id, "homepageKey" = null`);
    await this.restore('platforms', this.platformRows);
    for (const platform of PLATFORMS) await this.renew(platform);
  }

  /** The same people in the same roles, and signed in. */
  async mendPeople(): Promise<void> {
    const ids = this.people.map(({ id }) => id);
    await this.query(
      `update users set email = null, "emailKey" = null where "emailKey" = any($1) and id <> all($2)`,
      [this.people.map(({ emailKey }) => emailKey), ids],
    );
    await this.restore('users', this.people);
    await this.query(
      `with forgiven as (delete from sign_in_failures where "UserId" = any($2))
       insert into sessions select * from json_populate_recordset(null::sessions, $1::json)
       on conflict (id) do update set "endedAt" = null, "createdAt" = now(), "expiresAt" = excluded."expiresAt"`,
      [JSON.stringify(this.sessionRows), ids],
    );
  }

  /** Changes whenever a record does, or what it is connected with. Not when somebody is counted or noticed. */
  async fingerprint(): Promise<string> {
    this.tables ??= await this.query(
      `select format('select %L as "table", count(*), sum(hashtextextended(t::text, 0)::numeric) from %I t', relname, relname) as part
         from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all($1)
          and relname not like 'numbered_events%'`,
      [UNCOUNTED],
    );
    const parts = [...this.tables.map(({ part }) => part), PUBLISHED];
    return JSON.stringify(await this.query(parts.join(' union all ')));
  }
  private tables: { part: string }[] | undefined;

  private query(text: string, values: unknown[] = []): Promise<any[]> {
    return this.test.db.dataSource.query(text, values);
  }

  private async restore(table: 'users' | 'platforms', rows: object[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
    await this.query(
      `update ${table} t set ${columns.map((column) => `"${column}" = s."${column}"`).join(', ')}
         from json_populate_recordset(null::${table}, $1::json) s where s.id = t.id`,
      [JSON.stringify(rows)],
    );
  }

  private mark(platform: PlatformName, sight: Sight): string {
    return `zq${platform.toLowerCase()}${sight}${++this.marks}z`;
  }

  private peopleOf(platform: PlatformName): number[] {
    return (Object.keys(PEOPLE) as Person[]).map((person) => this.world.user(person, platform).id);
  }

  private async addCallers(): Promise<void> {
    const tokens = this.test.get(TokensService);
    for (const [name, whose] of Object.entries(CALLERS) as [CallerName, (typeof CALLERS)[CallerName]][]) {
      if (!whose) continue;
      const user = this.world.user(whose[0], whose[1]);
      // Who came in by a code a moment ago may change the password and the address.
      const token = await tokens.issue(user, 'otp');
      const origin = this.test.settings.PUBLIC_URL;
      this.clients[name] = this.test.client(
        name === 'byCookie'
          ? { ...tokenCookie(this.test, token), origin }
          : { authorization: `Bearer ${token}` },
      );
      this.sessions[name] = String(claimsOf(await tokens.issue(user, 'otp')).jti);
    }
    this.clients.anonymous = this.test.client();
    this.clients.badToken = this.test.client({ authorization: 'Bearer e30.e30.e30' });
    this.clients.serviceSecret = this.test.client({
      'x-service-secret': this.test.settings.SERVICE_SECRET[0] ?? '',
    });
    for (const name of ['anonymous', 'badToken', 'serviceSecret'] as const) {
      this.sessions[name] = this.sessions.free;
    }
    await this.world.givePassword('otherFree', 'A');
    await this.world.givePassword('otherFree', 'B');
  }

  /** Adds what is missing, and takes note of what there is. */
  private async renew(platform: PlatformName): Promise<void> {
    await this.fill(platform);
    const { world } = this;
    const plain = this.plain[platform];
    const id = world.platformId(platform);
    const [group, joined] = plain.group ?? [];
    const [asker, member] = plain.user ?? [];
    Object.assign(plain, {
      account: ['otherfree@people.test'],
      asked: [group],
      asker: [asker],
      joined: [joined],
      member: [member],
      countedAd: [plain.ad?.[0]],
    });
    await this.query(
      `insert into group_members ("PlatformId", "GroupId", "UserId", status)
       select $1, "group", "user", status from json_to_recordset($2::json) as m("group" int, "user" int, status text)
       on conflict ("GroupId", "UserId") do update set status = excluded.status, role = 'member', "expiresAt" = null`,
      [
        id,
        JSON.stringify([
          { group, user: asker, status: 'pending' },
          { group: joined, user: member, status: 'active' },
          ...this.peopleOf(platform).map((user) => ({ group: joined, user, status: 'active' })),
        ]),
      ],
    );
    await this.query(`update ads set status = 'active', "startDate" = null, "endDate" = null where id = $1`, [
      plain.ad?.[0],
    ]);
    const otherFree = world.user('otherFree', platform).id;
    const admin = world.user('admin', platform).id;
    const free = world.user('free', platform).id;
    const key = this.test.settings.ENCRYPTION_KEY[0] ?? '';
    await this.query(`delete from one_time_codes where "UserId" = any($1)`, [[otherFree, admin, free]]);
    for (const [user, purpose, address] of [
      [otherFree, 'sign-in', null],
      [admin, 'change-email', `new-${++this.marks}@people.test`],
      [free, 'change-email', `new-${++this.marks}@people.test`],
    ] as const) {
      await this.query(
        `insert into one_time_codes ("PlatformId", "UserId", purpose, mac, "newEmail", "expiresAt")
         values ($1, $2, $3, $4, $5, now() + interval '10 minutes')`,
        [id, user, purpose, mac(key, 'code', purpose, user, OTP), address],
      );
    }
    if (platform === 'B') return;
    await this.query(
      `insert into password_resets ("PlatformId", "UserId", digest, "expiresAt")
       values ($1, $2, $3, now() + interval '1 hour') on conflict (digest) do update set "usedAt" = null`,
      [id, otherFree, createHash('sha256').update(RESET_LINK).digest()],
    );
  }

  /** At least some of each kind, by the ordinary way or the short one. */
  private async fill(platform: PlatformName): Promise<void> {
    const { world } = this;
    const marked = this.marked[platform];
    await this.note(platform);
    const plain = this.plain[platform];
    const lacks = (kind: Kind, least: number): number[] =>
      Array.from({ length: Math.max(0, least - (plain[kind]?.length ?? 0)) }, () => ++this.marks);
    for (const _ of lacks('content', 3)) {
      await world.content({ title: 'Tides', visibility: 'public' }, platform);
      await world.content({ title: 'Tides of members', visibility: 'members', type: 'video' }, platform);
    }
    for (const n of lacks('group', 3)) {
      await world.group({ name: `Group ${n}`, visibility: 'public', joinPolicy: 'open' }, platform);
    }
    for (const n of lacks('tag', 3)) {
      await world.as('admin', platform).post('/api/access-tag', { title: `Tag ${n}` });
    }
    for (const n of lacks('keyword', 3)) {
      await world.as('admin', platform).post('/api/keyword', { title: `Keyword ${n}` });
    }
    for (const _ of lacks('post', 3)) await world.post('free', {}, platform);
    for (const n of lacks('collection', 2)) {
      await world.collection({ name: `Collection ${n}`, showOnHomepage: true }, platform);
    }
    for (const _ of lacks('ad', 2)) await world.ad({}, 'creator', platform);
    for (const n of lacks('user', 4)) {
      const email = `${this.mark(platform, 'staff')}@people.test`;
      (marked.email ??= []).push(email);
      await this.query(
        `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role, "passwordHash")
         select "PlatformId", $2, $2, $3, lower($3), 'free', "passwordHash" from users where id = $1`,
        [world.user('otherFree', platform).id, email, `Victim ${n}`],
      );
    }
    await this.note(platform);
    for (const _ of lacks('comment', 3)) {
      const [content] = await this.query(
        `select id from contents where "PlatformId" = $1 and "deletedAt" is null and "chatEnabled" and visibility = 'public'
          order by id desc limit 1`,
        [world.platformId(platform)],
      );
      if (content) await world.comment(content.id, {}, 'free', platform);
    }
    await this.note(platform);
  }

  private async note(platform: PlatformName): Promise<void> {
    const { content = [], group = [], collection = [], comment = [] } = this.marked[platform];
    const [found] = await this.query(
      `select ${Object.entries(NOTED)
        .map(
          ([kind, [column, from]]) =>
            `(select coalesce(json_agg(one), '[]') from
               (select ${column} as one from ${from} order by id desc limit 12) as found) as "${kind}"`,
        )
        .join(', ')}
         from (select $1::int as platform, $2::int[] as content, $3::int[] as "group", $4::int[] as collection,
                      $5::int[] as comment, $6::int[] as people) as given`,
      [
        this.world.platformId(platform),
        content,
        group,
        collection,
        comment,
        PLATFORMS.flatMap((each) => this.peopleOf(each)),
      ],
    );
    Object.assign(this.plain[platform], found);
  }

  /** What only some may see, and a mark on each. */
  private async addMarked(platform: PlatformName): Promise<void> {
    const { world } = this;
    const marked = this.marked[platform];
    const secret = (sight: Sight = 'staff') => {
      const text = this.mark(platform, sight);
      return {
        title: `Tides ${text}`,
        description: `<p>${text} Tides</p>`,
        contentURI: `https://example.org/${text}`,
        options: { text },
      };
    };
    const items = [
      await world.content({ ...secret(), visibility: 'private' }, platform, 'otherCreator'),
      await world.content({ ...secret(), publishedDate: '2999-01-01' }, platform, 'otherCreator'),
      await world.content({ ...secret(), expireDate: '2020-01-01' }, platform, 'otherCreator'),
      await world.content({ ...secret('unlisted'), visibility: 'hidden' }, platform, 'otherCreator'),
      await world.content(
        {
          ...secret(),
          visibility: 'members',
          requiredRole: 'premium',
          title: 'Tides locked',
          description: `<p>${'x'.repeat(220)} ${this.mark(platform, 'staff')}</p>`,
        },
        platform,
        'otherCreator',
      ),
    ];
    const [secretItem] = items;
    await world.comment(
      secretItem?.id ?? 0,
      { message: this.mark(platform, 'staff') },
      'otherCreator',
      platform,
    );
    const group = await world.group(
      { name: this.mark(platform, 'staff'), visibility: 'hidden', description: this.mark(platform, 'staff') },
      platform,
    );
    const collection = await world.collection(
      {
        name: this.mark(platform, 'staff'),
        publishedDate: '2999-01-01',
        ContentIds: items.map(({ id }) => id),
      },
      platform,
    );
    const [of] = await this.query(
      `select array(select id from comments where "ContentId" = $1) as comments,
              array(select slug from contents where id = any($2)) as contents,
              array(select slug from groups where id = $3) as groups,
              array(select slug from collections where id = $4) as collections`,
      [secretItem?.id, items.map(({ id }) => id), group.id, collection.id],
    );
    Object.assign(marked, {
      content: items.map(({ id }) => id),
      group: [group.id],
      collection: [collection.id],
      comment: of.comments,
      contentSlug: of.contents,
      groupSlug: of.groups,
      collectionSlug: of.collections,
    });
  }
}

const other = (platform: PlatformName): PlatformName => (platform === 'A' ? 'B' : 'A');

/** Where the records of each kind are, without the marked ones. */
const OF = `"PlatformId" = platform`;
const NOTED: Partial<Record<Kind, [column: string, from: string]>> = {
  ad: ['id', `ads where ${OF}`],
  collection: ['id', `collections where ${OF} and id <> all(collection)`],
  comment: ['id', `comments where ${OF} and "deletedAt" is null and id <> all(comment)`],
  content: ['id', `contents where ${OF} and type <> 'post' and "deletedAt" is null and id <> all(content)`],
  post: ['id', `contents where ${OF} and type = 'post' and "deletedAt" is null`],
  group: ['id', `groups where ${OF} and id <> all("group")`],
  keyword: ['id', `keywords where ${OF}`],
  tag: ['id', `access_tags where ${OF}`],
  user: ['id', `users where ${OF} and "deletedAt" is null and id <> all(people)`],
  email: ['email', `users where ${OF} and "deletedAt" is null and id = any(people)`],
  platform: ['id', `platforms where id = platform`],
  contentSlug: ['slug', `contents where ${OF} and "deletedAt" is null and id <> all(content)`],
  groupSlug: ['slug', `groups where ${OF} and id <> all("group")`],
  collectionSlug: ['slug', `collections where ${OF} and id <> all(collection)`],
  platformSlug: ['slug', `platforms where id = platform`],
};

/** Whether the relay has numbered what was published, or will, is no change. */
const PUBLISHED = `select 'published', (select count(*) from events) + (select last from event_counter), null`;

/** Tables in which a refusal may leave its traces. */
const UNCOUNTED = [
  'audit_log_default',
  'event_counter',
  'events',
  'kept_answers',
  'one_time_codes',
  'outbox',
  'platform_stamps',
  'rate_limits',
  'sessions',
  'sign_in_failures',
  'migrations',
];
