import {
  AccessMatrix,
  expected,
  type Item,
  type Sight,
  sightOf,
  sightOfCard,
  table,
  VIEWER_NAMES,
  type ViewerName,
  wanted,
} from '../factories/access-matrix';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let matrix: AccessMatrix;
let platformId: number;

beforeAll(async () => {
  test = await TestApp.start();
  const world = await World.create(test);
  matrix = await AccessMatrix.create(test, world);
  platformId = world.platformId();
});
afterAll(() => test.stop());

/** All pages of the list, each with what it says of the item, which must agree with what it shows. */
async function listed(viewer: ViewerName, filters = ''): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  let totalItems = 0;
  for (let page = 1; page === 1 || page <= Math.ceil(totalItems / 100); page++) {
    const { status, body } = await matrix
      .as(viewer)
      .get(
        `/api/contents?PlatformId=${platformId}&searchTerm=matrix&sort=title:asc&itemsPerPage=100` +
          `&currentPage=${page}${filters}`,
      );
    expect(status).toBe(200);
    totalItems = body.totalItems;
    for (const item of body.items) {
      const sight = sightOfCard(item);
      expect(item.access).toEqual({ canRead: sight === 'full', locked: sight === 'teaser' });
      seen.set(item.id, sight);
    }
  }
  expect(seen.size).toBe(totalItems);
  return table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');
}

/** What each item's relative, which anyone may open by its id, is said to be related to. */
async function related(viewer: ViewerName): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  for (const id of Object.values(matrix.relatives)) {
    const { status, body } = await matrix.as(viewer).get(`/api/content/${id}/related?limit=50`);
    expect(status).toBe(200);
    expect(body.items.length).toBeLessThan(50);
    for (const item of body.items) seen.set(item.id, sightOfCard(item));
  }
  return table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');
}

/** What each of the items is when it is asked for by itself, at a route for anyone. */
async function opened(
  viewer: ViewerName,
  items: Item[],
  url: (item: Item) => string,
): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  for (const item of items) {
    const { status, body } = await matrix.as(viewer).get(url(item));
    expect([status, body.error?.code]).toEqual(status === 404 ? [404, 'NOT_FOUND'] : [200, undefined]);
    seen.set(item.id, status === 200 ? sightOf(body) : 'absent');
  }
  return table(items, ({ id }) => seen.get(id) ?? 'absent');
}

const isStaff = (viewer: ViewerName): boolean => viewer === 'admin' || viewer === 'creator';

/** By slug and as a visitor the rule is asked as by id, in a statement that differs by a word: some cells do. */
const someItems = (): Item[] =>
  matrix.items.filter(({ state, gate }) =>
    state === 'current' ? ['none', 'group', 'closed'].includes(gate) : gate === 'group',
  );

const bySlug = (item: Item): string =>
  `/api/content-by-slug/matrix-${matrix.items.indexOf(item)}/${platformId}`;
const asVisitor = ({ id }: Item): string => `/api/content/${id}/public`;

describe.each(VIEWER_NAMES)('%s', (viewer) => {
  it('finds in the list of the platform what the rule says', async () => {
    const filters = isStaff(viewer) ? '&filters=published:all' : '';
    expect(await listed(viewer, filters)).toEqual(wanted(viewer, matrix.items, { inList: true }));
  });

  it('finds among related items what the rule says', async () => {
    expect(await related(viewer)).toEqual(wanted(viewer, matrix.items, { inList: true }));
  });

  it('reads by slug what the rule says', async () => {
    expect(await opened(viewer, someItems(), bySlug)).toEqual(wanted(viewer, someItems()));
  });
});

describe.each<ViewerName>(['creator', 'admin'])('%s', (viewer) => {
  const isRunning = ({ state }: Item): boolean => state !== 'future' && state !== 'expired';
  const only = (pick: (item: Item) => boolean): Record<string, Sight> =>
    table(matrix.items, (item) => (pick(item) ? expected(item, viewer, { inList: true }) : 'absent'));

  it('finds in the list what is running, or what is not', async () => {
    expect(await listed(viewer)).toEqual(only(isRunning));
    expect(await listed(viewer, '&filters=published:false')).toEqual(only((item) => !isRunning(item)));
  });
});

describe('as a visitor', () => {
  it.each<ViewerName>(['anonymous', 'free', 'author', 'groupOwner', 'admin', 'adminElsewhere'])(
    '%s reads what the rule says of nobody',
    async (viewer) => {
      expect(await opened(viewer, someItems(), asVisitor)).toEqual(wanted('anonymous', someItems()));
    },
  );
});

describe('with showTeasers false', () => {
  beforeAll(() =>
    test.db.dataSource.query(`update platforms set settings = '{"showTeasers": false}' where id = $1`, [
      platformId,
    ]),
  );

  it.each<ViewerName>([
    'anonymous',
    'free',
    'premium',
    'groupMember',
    'author',
    'creator',
    'memberElsewhere',
  ])('%s finds no teaser in the list and among related items', async (viewer) => {
    const all = wanted(viewer, matrix.items, { inList: true, showTeasers: false });
    expect(await listed(viewer, isStaff(viewer) ? '&filters=published:all' : '')).toEqual(all);
    expect(await related(viewer)).toEqual(all);
  });

  it('has nothing by slug and for visitors where a teaser was', async () => {
    const none = wanted('anonymous', someItems(), { showTeasers: false });
    expect(await opened('anonymous', someItems(), bySlug)).toEqual(none);
    expect(await opened('premium', someItems(), asVisitor)).toEqual(none);
  });
});
