import { searchKey } from '#libs/text';
import { TokensService } from '../../src/sessions/tokens.service';
import type { Role } from '../../src/kernel/callers/roles';
import { UsersService } from '../../src/users/users.service';
import type { Client } from '../support/client';
import type { TestApp } from '../support/test-app';
import type { World } from './world';

/*
 * Who may read what, as a matrix of viewers and items. `expected()` is written from the words of the rule, over
 * plain facts, and knows nothing of SQL: whatever route shows items is compared with it.
 */

export const VISIBILITIES = ['public', 'members', 'private', 'hidden'] as const;
export const GATES = {
  none: {},
  group: { groups: ['club'] },
  ruleGroup: { groups: ['byRule'] },
  tag: { tags: ['key'] },
  free: { tier: 'free' },
  basic: { tier: 'basic' },
  premium: { tier: 'premium' },
  /** Any entry of a gate opens it. */
  any: { groups: ['club', 'byRule'], tags: ['key'], tier: 'premium' },
  /** It lost its last entry. */
  closed: { closed: true },
} as const satisfies Record<string, Gate>;
export const STATES = [
  'current',
  'future',
  'expired',
  'publishedNow',
  'expiresNow',
  'deleted',
  'flagged',
  'awaiting',
] as const;

type GroupName = 'club' | 'byRule';
/** `ruling` makes its holders members of the group `byRule`. */
type TagName = 'key' | 'ruling';

interface Gate {
  groups?: readonly GroupName[];
  tags?: readonly TagName[];
  tier?: 'free' | 'basic' | 'premium';
  closed?: boolean;
}

export interface Item {
  id: number;
  commentId: number;
  visibility: (typeof VISIBILITIES)[number];
  gate: keyof typeof GATES;
  state: (typeof STATES)[number];
}

interface Facts {
  /** null is nobody. */
  platform: 'A' | 'B' | null;
  role: Role;
  pending?: boolean;
  banned?: boolean;
  author?: boolean;
  club?: {
    role?: 'member' | 'moderator' | 'owner';
    status?: 'active' | 'pending' | 'banned';
    expired?: boolean;
  };
  tags?: { name: TagName; expired?: boolean }[];
}

export const VIEWERS = {
  anonymous: { platform: null, role: 'free' },
  free: { platform: 'A', role: 'free' },
  basic: { platform: 'A', role: 'basic' },
  premium: { platform: 'A', role: 'premium' },
  groupMember: { platform: 'A', role: 'free', club: {} },
  pastGroupMember: { platform: 'A', role: 'free', club: { expired: true } },
  groupApplicant: { platform: 'A', role: 'free', club: { status: 'pending' } },
  bannedFromGroup: { platform: 'A', role: 'free', club: { status: 'banned', role: 'moderator' } },
  groupModerator: { platform: 'A', role: 'free', club: { role: 'moderator' } },
  groupOwner: { platform: 'A', role: 'free', club: { role: 'owner' } },
  pastGroupModerator: { platform: 'A', role: 'free', club: { role: 'moderator', expired: true } },
  tagHolder: { platform: 'A', role: 'free', tags: [{ name: 'key' }] },
  pastTagHolder: { platform: 'A', role: 'free', tags: [{ name: 'key', expired: true }] },
  memberByRule: { platform: 'A', role: 'free', tags: [{ name: 'ruling' }] },
  pastMemberByRule: { platform: 'A', role: 'free', tags: [{ name: 'ruling', expired: true }] },
  author: { platform: 'A', role: 'free', author: true },
  creator: { platform: 'A', role: 'creator' },
  admin: { platform: 'A', role: 'admin' },
  bannedGroupMember: { platform: 'A', role: 'free', banned: true, club: {} },
  pendingGroupMember: { platform: 'A', role: 'free', pending: true, club: {} },
  memberElsewhere: { platform: 'B', role: 'premium' },
  adminElsewhere: { platform: 'B', role: 'admin' },
} as const satisfies Record<string, Facts>;
export type ViewerName = keyof typeof VIEWERS;
export const VIEWER_NAMES = Object.keys(VIEWERS) as ViewerName[];

export type Sight = 'full' | 'teaser' | 'absent';

export interface Asked {
  /** By a list, search or feed, not by id or slug. */
  inList?: boolean;
  showHidden?: boolean;
  showTeasers?: boolean;
}

/** What the rule says that the viewer finds. */
export function expected(
  { visibility, gate: gateName, state }: Pick<Item, 'visibility' | 'gate' | 'state'>,
  name: ViewerName,
  { inList = false, showHidden = false, showTeasers = true }: Asked = {},
): Sight {
  const facts: Facts = VIEWERS[name];
  // Someone of another platform, and someone whose address is not verified, is nobody here.
  const viewer = facts.platform === 'A' && !facts.pending ? facts : null;
  const gate: Gate = GATES[gateName];
  const isStaff = viewer?.role === 'admin' || viewer?.role === 'creator';
  const inClub = viewer?.club && (viewer.club.status ?? 'active') === 'active' && !viewer.club.expired;
  const tags = (viewer?.tags ?? []).filter((tag) => !tag.expired).map((tag) => tag.name);

  if (state === 'deleted') return 'absent';
  if (isStaff) return 'full';
  const moderates =
    inClub &&
    viewer?.club?.role !== undefined &&
    viewer.club.role !== 'member' &&
    gate.groups?.includes('club');
  if ((state === 'flagged' || state === 'awaiting') && !viewer?.author && !moderates) return 'absent';
  if ((state === 'future' || state === 'expired') && !viewer?.author) return 'absent';

  if (visibility === 'public') return 'full';
  if (visibility === 'hidden') return inList && !showHidden ? 'absent' : 'full';
  if (viewer?.author) return 'full';

  const tiers: Role[] = ['free', 'basic', 'premium'];
  const isSet = gate.groups !== undefined || gate.tags !== undefined || gate.tier !== undefined;
  const passes =
    viewer !== null &&
    !gate.closed &&
    ((gate.groups?.includes('club') && inClub) ||
      (gate.groups?.includes('byRule') && tags.includes('ruling')) ||
      gate.tags?.some((tag) => tags.includes(tag)) ||
      (gate.tier !== undefined && tiers.indexOf(viewer.role) >= tiers.indexOf(gate.tier)));
  if (visibility === 'private') return isSet && passes ? 'full' : 'absent';
  if (passes || (viewer !== null && !isSet && !gate.closed)) return 'full';
  return showTeasers ? 'teaser' : 'absent';
}

/** The visible part of a description, and what only those who may open the item get to read. */
export const SHOWN = 'x'.repeat(200);
export const SECRET = 'behindthegate';

export class AccessMatrix {
  private constructor(
    readonly now: Date,
    readonly items: Item[],
    readonly collectionId: number,
    /** For each state an unlisted item that shares a keyword with all items in it. */
    readonly relatives: Record<Item['state'], number>,
    private readonly clients: Record<ViewerName, Client>,
  ) {}

  as(viewer: ViewerName): Client {
    return this.clients[viewer];
  }

  /** Every item at every gate while current; in the other states behind no gate and the group. */
  get fewerItems(): Item[] {
    return this.items.filter(({ state, gate }) => state === 'current' || ['none', 'group'].includes(gate));
  }

  /** Makes the viewers and all items on platform A, and stops the clock at the instant of their borders. */
  static async create(test: TestApp, world: World): Promise<AccessMatrix> {
    const now = new Date(Date.now() + 60_000);
    const platformId = world.platformId('A');
    const query = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
      test.db.dataSource.query(text, values);
    const adminId = world.user('admin').id;
    const [group] = await query<{ club: number; byRule: number }>(
      `with made as (insert into groups ("PlatformId", "UserId", name, "nameKey", slug, position)
         values ($1, $2, 'Club', 'club', 'club', 1), ($1, $2, 'By rule', 'by rule', 'by-rule', 2) returning id, slug)
       select max(id) filter (where slug = 'club') as club, max(id) filter (where slug = 'by-rule') as "byRule" from made`,
      [platformId, adminId],
    );
    const [tag] = await query<{ key: number; ruling: number }>(
      `with made as (insert into access_tags ("PlatformId", title) values ($1, 'key'), ($1, 'ruling') returning id, title)
       select max(id) filter (where title = 'key') as key, max(id) filter (where title = 'ruling') as ruling from made`,
      [platformId],
    );
    if (!group || !tag) throw new Error('The matrix has no groups or tags.');
    await query(
      `insert into group_access_tags ("PlatformId", "GroupId", "AccessTagId") values ($1, $2, $3)`,
      [platformId, group.byRule, tag.ruling],
    );

    const clients = { anonymous: test.client() } as Record<ViewerName, Client>;
    const authorId = { of: 0 };
    const moment = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
    for (const [name, facts] of Object.entries(VIEWERS) as [ViewerName, Facts][]) {
      if (facts.platform === null) continue;
      const user = await test.get(UsersService).add({
        PlatformId: world.platformId(facts.platform),
        email: `${name.toLowerCase()}@matrix.test`,
        name,
        role: facts.role,
        status: facts.pending ? 'pending' : 'active',
      });
      clients[name] = test.client({
        authorization: `Bearer ${await test.get(TokensService).issue(user, 'password')}`,
      });
      if (facts.author) authorId.of = user.id;
      if (facts.banned) await query(`update users set "bannedAt" = $2 where id = $1`, [user.id, now]);
      if (facts.club) {
        const { role = 'member', status = 'active', expired } = facts.club;
        await query(
          `insert into group_members ("PlatformId", "GroupId", "UserId", role, status, "expiresAt")
           values ($1, $2, $3, $4, $5, $6)`,
          [platformId, group.club, user.id, role, status, expired ? moment(-1) : moment(1)],
        );
      }
      for (const { name: tagName, expired } of facts.tags ?? []) {
        await query(
          `insert into user_access_tags ("PlatformId", "UserId", "AccessTagId", "expiresAt") values ($1, $2, $3, $4)`,
          [platformId, user.id, tag[tagName], expired ? moment(-1) : moment(1)],
        );
      }
    }

    const cells = VISIBILITIES.flatMap((visibility) =>
      (Object.keys(GATES) as (keyof typeof GATES)[]).flatMap((gate) =>
        STATES.map((state) => ({ visibility, gate, state })),
      ),
    );
    const description = `<p>${SHOWN}${SECRET}</p>`;
    const rows = cells.map(({ visibility, gate, state }, index) => {
      const title = `matrix ${visibility} ${gate} ${state}`;
      const { tier = null, closed = false } = GATES[gate] as Gate;
      return {
        PlatformId: platformId,
        UserId: authorId.of,
        title,
        slug: `matrix-${index}`,
        description,
        plainText: `${SHOWN}${SECRET}`,
        teaser: SHOWN,
        type: 'article',
        visibility,
        requiredRole: tier,
        gateClosed: closed,
        video: `https://example.org/${SECRET}.mp4`,
        contentURI: `https://example.org/${SECRET}.pdf`,
        options: { [SECRET]: true },
        publishedDate: state === 'future' ? moment(1) : state === 'publishedNow' ? now : null,
        expireDate: state === 'expired' ? moment(-1) : state === 'expiresNow' ? now : null,
        deletedAt: state === 'deleted' ? moment(-1000) : null,
        moderationCategory: state === 'flagged' ? 'Spam' : null,
        awaitsApproval: state === 'awaiting',
        titleKey: searchKey(title),
        textKey: `${SHOWN}${SECRET}`,
        teaserKey: SHOWN,
      };
    });
    const columns = Object.keys(rows[0] ?? {})
      .map((column) => `"${column}"`)
      .join(', ');
    const ids = await query<{ id: number }>(
      `insert into contents (${columns})
       select ${columns} from json_populate_recordset(null::contents, $1::json) returning id`,
      [JSON.stringify(rows)],
    );
    const idOf = (index: number): number => ids[index]?.id ?? 0;
    const links = (pick: (gate: Gate) => number[]): string =>
      JSON.stringify(
        cells.flatMap(({ gate }, index) => pick(GATES[gate]).map((to) => ({ from: idOf(index), to }))),
      );
    await query(
      `insert into content_groups ("PlatformId", "ContentId", "GroupId")
       select $1, "from", "to" from json_to_recordset($2::json) as l("from" int, "to" int)`,
      [platformId, links((gate) => (gate.groups ?? []).map((name) => group[name]))],
    );
    await query(
      `insert into content_access_tags ("PlatformId", "ContentId", "AccessTagId")
       select $1, "from", "to" from json_to_recordset($2::json) as l("from" int, "to" int)`,
      [platformId, links((gate) => (gate.tags ?? []).map((name) => tag[name]))],
    );
    const comments = await query<{ id: number; ContentId: number }>(
      `insert into comments ("PlatformId", "ContentId", "UserId", ordinal, message, "messagePlain", "createdAt", "listedCount", "replyCount")
       select $1, unnest($2::int[]), $3, 1, '<p>${SECRET}</p>', '${SECRET}', $4, 1, 1 returning id, "ContentId"`,
      [platformId, ids.map(({ id }) => id), authorId.of, now],
    );
    await query(
      `insert into comments ("PlatformId", "ContentId", "UserId", "parentCommentId", ordinal, message, "messagePlain", "createdAt")
       select "PlatformId", "ContentId", "UserId", id, 1, message, "messagePlain", "createdAt" from comments
        where id = any($1)`,
      [comments.map(({ id }) => id)],
    );
    await query(
      `update contents set "topLevelCount" = 1, "commentCount" = 2, "lastOrdinal" = 1 where id = any($1)`,
      [ids.map(({ id }) => id)],
    );
    const [collection] = await query<{ id: number }>(
      `insert into collections ("PlatformId", "UserId", name, "nameKey", "searchKey", slug, position, "sortPreference")
       values ($1, $2, 'Matrix', 'matrix', 'matrix matrix', 'matrix', 1, 'manual') returning id`,
      [platformId, adminId],
    );
    await query(
      `insert into collection_contents ("PlatformId", "CollectionId", "ContentId", position)
       select $1, $2, id, place from unnest($3::int[]) with ordinality as listed (id, place)`,
      [platformId, collection?.id, ids.map(({ id }) => id)],
    );
    const relatives = await query<{ id: number; keywordId: number; state: Item['state'] }>(
      `with words as (insert into keywords ("PlatformId", title, "titleKey", slug)
         select $1, word, word, word from unnest($3::text[]) as word returning id, title),
       made as (insert into contents ("PlatformId", "UserId", title, slug, type, visibility, "titleKey", "textKey", "teaserKey")
         select $1, $2, 'Relative', 'relative-' || title, 'article', 'hidden', 'relative', '', '' from words returning id, slug)
       select made.id, words.id as "keywordId", words.title as state
         from words join made on made.slug = 'relative-' || words.title`,
      [platformId, adminId, STATES],
    );
    await query(
      `insert into content_keywords ("PlatformId", "ContentId", "KeywordId")
       select $1, "from", "to" from json_to_recordset($2::json) as l("from" int, "to" int)`,
      [
        platformId,
        JSON.stringify(
          relatives.flatMap(({ id, keywordId, state }) => [
            { from: id, to: keywordId },
            ...cells.flatMap((cell, index) =>
              cell.state === state ? [{ from: idOf(index), to: keywordId }] : [],
            ),
          ]),
        ),
      ],
    );
    const commentOf = new Map(comments.map(({ id, ContentId }) => [ContentId, id]));
    const items = cells.map((cell, index) => ({
      ...cell,
      id: idOf(index),
      commentId: commentOf.get(idOf(index)) ?? 0,
    }));
    test.clock.set(now);
    const relativeOf = Object.fromEntries(relatives.map(({ state, id }) => [state, id])) as Record<
      Item['state'],
      number
    >;
    return new AccessMatrix(now, items, collection?.id ?? 0, relativeOf, clients);
  }
}

/** Whether an answered item is whole or its teaser; anything in between is neither. */
export function sightOf(body: any): Sight {
  const sight = found(body);
  const shape = [body.contentURI, body.video, body.options];
  const agrees = shape.every((value) =>
    sight === 'full' ? JSON.stringify(value).includes(SECRET) : value === null,
  );
  return agrees && body.locked === (sight === 'teaser') ? sight : fail(body);
}

/** As `sightOf`, of a card, which holds nothing to open. */
export function sightOfCard(card: any): Sight {
  const sight = found(card);
  const holds = ['contentURI', 'video', 'options'].some((field) => field in card);
  return !holds && card.locked === (sight === 'teaser') ? sight : fail(card);
}

/** As `sightOf`, of a finding, which shows no more than the text. */
export const found = (item: any): Sight =>
  item.description === SHOWN
    ? 'teaser'
    : item.description === `<p>${SHOWN}${SECRET}</p>`
      ? 'full'
      : fail(item);
const fail = (item: unknown): never => {
  throw new Error(`Neither an item nor a teaser: ${JSON.stringify(item)}`);
};

/** What of the items the viewer finds. */
export const wanted = (viewer: ViewerName, items: Item[], asked: Asked = {}): Record<string, Sight> =>
  table(items, (item) => expected(item, viewer, asked));

/** `visibility gate state` → what was found, for one whole comparison that names every cell that differs. */
export const table = <Found extends string>(
  items: Item[],
  found: (item: Item) => Found,
): Record<string, Found> =>
  Object.fromEntries(items.map((item) => [`${item.visibility} ${item.gate} ${item.state}`, found(item)]));
