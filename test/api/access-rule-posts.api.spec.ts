import {
  AccessMatrix,
  expected,
  type Item,
  SECRET,
  SHOWN,
  type Sight,
  table,
  VIEWER_NAMES,
  VIEWERS,
  type ViewerName,
} from '../factories/access-matrix';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let matrix: AccessMatrix;
let platformId: number;

beforeAll(async () => {
  test = await TestApp.start();
  const world = await World.create(test);
  platformId = world.platformId();
  matrix = await AccessMatrix.create(test, world);
  await test.db.dataSource.query(`update contents set type = 'post' where id = any($1)`, [
    matrix.items.map(({ id }) => id),
  ]);
});
afterAll(() => test.stop());

const WHOLE = `<p>${SHOWN}${SECRET}</p>`;
const sight = (shown: string[], isTeaser: boolean): Sight => {
  if (!isTeaser && shown.every((text) => text.includes(SHOWN + SECRET))) return 'full';
  if (isTeaser && shown.every((text) => text === SHOWN)) return 'teaser';
  throw new Error(`Neither an item nor a teaser: ${shown.join(' | ')}`);
};
const ofPost = ({ message, messagePlain, description, access }: any): Sight => {
  expect(access.canRead).toBe(!access.locked);
  return sight([message, messagePlain, description], access.locked);
};
const ofCard = ({ description, locked }: any): Sight => sight([description], locked);

const asTable = (seen: Map<number, Sight>): Record<string, Sight> =>
  table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');

async function listed(viewer: ViewerName): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  for (let page = 1; ; page++) {
    const { status, body } = await matrix
      .as(viewer)
      .get(`/api/posts?PlatformId=${platformId}&itemsPerPage=100&currentPage=${page}`);
    expect(status).toBe(200);
    for (const post of body.items) seen.set(post.id, ofPost(post));
    if (page < body.totalPages) continue;
    expect(body.totalItems).toBe(seen.size);
    return asTable(seen);
  }
}

async function fed(viewer: ViewerName): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  for (let cursor = ''; ;) {
    const { status, body } = await matrix
      .as(viewer)
      .get(`/api/feed?limit=100${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    for (const card of body.items) seen.set(card.id, ofCard(card));
    if (body.nextCursor === null) return asTable(seen);
    cursor = body.nextCursor;
  }
}

const inList = (viewer: ViewerName, showTeasers = true): Record<string, Sight> =>
  table(matrix.items, (item) => expected(item, viewer, { inList: true, showTeasers }));
/** The unlisted are in nobody's feed, and those of elsewhere have their own. */
const inFeed = (viewer: ViewerName, showTeasers = true): Record<string, Sight> =>
  table(matrix.items, (item) =>
    VIEWERS[viewer].platform !== 'A' || item.visibility === 'hidden'
      ? 'absent'
      : expected(item, viewer, { inList: true, showTeasers }),
  );
const READERS = VIEWER_NAMES.filter((viewer) => VIEWERS[viewer].platform && !('pending' in VIEWERS[viewer]));

/** Each read is a request: they share the rule with the list, which is asked for all items. */
const some = (items: Item[]): Item[] =>
  items.filter(({ state, gate }) =>
    state === 'current'
      ? ['none', 'group', 'closed'].includes(gate)
      : ['future', 'flagged', 'deleted'].includes(state) && gate === 'group',
  );

describe.each(VIEWER_NAMES)('%s', (viewer) => {
  it('reads posts by id as the rule says', async () => {
    const items = some(matrix.items);
    const seen = new Map<number, string>();
    for (const { id } of items) {
      const { status, body } = await matrix.as(viewer).get(`/api/post/${id}`);
      seen.set(id, status === 200 ? ofPost(body) : `${status} ${body.error.code}`);
    }
    const spoken = (item: Item): string =>
      expected(item, viewer) === 'absent' ? '404 NOT_FOUND' : expected(item, viewer);
    expect(table(items, ({ id }) => seen.get(id) ?? 'not asked')).toEqual(table(items, spoken));
  });

  it('finds in the list of posts what the rule says', async () => {
    expect(await listed(viewer)).toEqual(inList(viewer));
  });
});

it.each(READERS)('%s finds in the feed what the rule says', async (viewer) => {
  expect(await fed(viewer)).toEqual(inFeed(viewer));
});

describe('with showTeasers false', () => {
  beforeAll(() =>
    test.db.dataSource.query(`update platforms set settings = '{"showTeasers": false}' where id = $1`, [
      platformId,
    ]),
  );

  it.each<ViewerName>(['free', 'groupMember', 'groupModerator', 'memberByRule', 'author', 'admin'])(
    '%s finds no teaser in list and feed',
    async (viewer) => {
      expect(await listed(viewer)).toEqual(inList(viewer, false));
      expect(await fed(viewer)).toEqual(inFeed(viewer, false));
    },
  );
});

it('shows whole texts as they are stored', async () => {
  const [item] = matrix.items;
  const { body } = await matrix.as('admin').get(`/api/post/${item?.id}`);
  expect([body.message, body.messagePlain]).toEqual([WHOLE, SHOWN + SECRET]);
});
