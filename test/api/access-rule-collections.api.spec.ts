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

/*
 * The matrix of viewers and items through the routes of one collection, and a second one of viewers and
 * collections. Hidden, unpublished and expired items are left out for everybody; only staff find them by id.
 */

let test: TestApp;
let matrix: AccessMatrix;
let platformId: number;
const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);

beforeAll(async () => {
  test = await TestApp.start();
  const world = await World.create(test);
  platformId = world.platformId();
  matrix = await AccessMatrix.create(test, world);
});
afterAll(() => test.stop());

/** Whether an answered item is whole or its teaser; anything in between is neither. */
function sightOf(item: any): Sight {
  const shape = [item.locked, item.contentURI, item.video, item.options];
  const rest = shape.slice(1);
  if (item.description === SHOWN && item.locked && rest.every((value) => value === null)) return 'teaser';
  if (
    item.description === `<p>${SHOWN}${SECRET}</p>` &&
    item.locked === false &&
    rest.every((value) => JSON.stringify(value).includes(SECRET))
  )
    return 'full';
  throw new Error(`Neither an item nor a teaser: ${JSON.stringify(item)}`);
}

const isStaff = (viewer: ViewerName): boolean => ['admin', 'creator'].includes(viewer);
const found = (contents: any[]): Record<string, Sight> => {
  const seen = new Map<number, Sight>(contents.map((item) => [item.id, sightOf(item)]));
  return table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');
};

interface Besides {
  hidden?: boolean;
  future?: boolean;
  showTeasers?: boolean;
}
const inCollection = (viewer: ViewerName, { hidden, future, showTeasers }: Besides = {}) =>
  table(matrix.items, (item: Item) => {
    if (item.visibility === 'hidden' && !hidden) return 'absent';
    if ((item.state === 'future' || item.state === 'expired') && !future) return 'absent';
    return expected(item, viewer, { inList: true, showHidden: hidden, showTeasers });
  });
const countOf = (sights: Record<string, Sight>): number =>
  Object.values(sights).filter((sight) => sight !== 'absent').length;

/** What by-id answers somebody who may not read there. */
const refusedById = (viewer: ViewerName): [number, string] | null =>
  viewer === 'anonymous'
    ? [401, 'UNAUTHORIZED']
    : 'pending' in VIEWERS[viewer]
      ? [401, 'EMAIL_NOT_VERIFIED']
      : VIEWERS[viewer].platform === 'B'
        ? [404, 'NOT_FOUND']
        : null;

async function expectContents(
  viewer: ViewerName,
  path: string,
  sights: Record<string, Sight>,
): Promise<void> {
  const { status, body } = await matrix.as(viewer).get(path);
  expect(status).toBe(200);
  expect(found(body.Contents)).toEqual(sights);
  expect(body.contentTotal).toBe(countOf(sights));
}

describe.each(VIEWER_NAMES)('%s finds what the rule says', (viewer) => {
  it('by slug', () =>
    expectContents(viewer, `/api/collection-by-slug/matrix/${platformId}`, inCollection(viewer)));

  it('by slug with a limit, which contentTotal does not know of', async () => {
    const { body } = await matrix.as(viewer).get(`/api/collection-by-slug/matrix/${platformId}?limit=3`);
    expect(body.Contents).toHaveLength(3);
    expect(body.contentTotal).toBe(countOf(inCollection(viewer)));
  });

  it('in public', () =>
    expectContents(viewer, `/api/collection/${matrix.collectionId}/public`, inCollection(viewer)));

  it('in the count of the public list: what is there for anyone', async () => {
    const { body } = await matrix.as(viewer).get(`/api/collection/public/${platformId}`);
    expect(body.items.find(({ id }: any) => id === matrix.collectionId).contentTotal).toBe(
      countOf(inCollection('anonymous')),
    );
  });
});

describe('by id', () => {
  const path = (): string => `/api/collection-by-id/${matrix.collectionId}`;

  it.each(VIEWER_NAMES.filter((viewer) => refusedById(viewer) === null))(
    '%s finds what the rule says, staff hidden items too',
    async (viewer) => {
      const staff = isStaff(viewer);
      await expectContents(viewer, path(), inCollection(viewer, { hidden: staff }));
      await expectContents(
        viewer,
        `${path()}?showFuture=true`,
        inCollection(viewer, { hidden: staff, future: staff }),
      );
    },
  );

  it.each(VIEWER_NAMES.filter((viewer) => refusedById(viewer) !== null))('%s is refused', async (viewer) => {
    const { status, body } = await matrix.as(viewer).get(path());
    expect([status, body.error.code]).toEqual(refusedById(viewer));
  });
});

describe('with showTeasers false', () => {
  beforeAll(() =>
    query(`update platforms set settings = '{"showTeasers": false}' where id = $1`, [platformId]),
  );
  afterAll(() => query(`update platforms set settings = '{}' where id = $1`, [platformId]));

  it.each(VIEWER_NAMES)('%s finds no teaser', async (viewer) => {
    const sights = inCollection(viewer, { showTeasers: false });
    expect(Object.values(sights)).not.toContain('teaser');
    await expectContents(viewer, `/api/collection-by-slug/matrix/${platformId}`, sights);
    await expectContents(viewer, `/api/collection/${matrix.collectionId}/public`, sights);
    const { body } = await matrix.as(viewer).get(`/api/collection/public/${platformId}`);
    expect(body.items[0].contentTotal).toBe(countOf(inCollection('anonymous', { showTeasers: false })));
  });
});

describe('collections themselves', () => {
  const STATES = ['current', 'future', 'expired', 'publishedNow', 'expiresNow'] as const;
  const GATES = { none: [], club: ['club'], byRule: ['by-rule'], both: ['club', 'by-rule'] } as const;
  interface Cell {
    slug: string;
    state: (typeof STATES)[number];
    gate: keyof typeof GATES;
    closed: boolean;
    /** Owned by the viewer `author`, else by the admin. */
    owned: boolean;
    homepage: boolean;
  }
  const cells: Cell[] = [
    ...STATES.flatMap((state) =>
      (Object.keys(GATES) as (keyof typeof GATES)[]).flatMap((gate) =>
        [true, false].map((homepage) => ({ state, gate, closed: false, owned: false, homepage })),
      ),
    ),
    ...STATES.map((state) => ({ state, gate: 'none' as const, closed: true, owned: false, homepage: true })),
    ...STATES.map((state) => ({ state, gate: 'club' as const, closed: false, owned: true, homepage: true })),
    ...STATES.map((state) => ({ state, gate: 'none' as const, closed: true, owned: true, homepage: true })),
  ].map((cell) => ({
    ...cell,
    slug: Object.values(cell).join('-').toLowerCase(),
  }));
  const idOf = new Map<string, number>();

  beforeAll(async () => {
    const [{ authorId, adminId }] = await query(
      `select max(id) filter (where name = 'author') as "authorId", max(id) filter (where name = 'admin') as "adminId" from users`,
    );
    const moment = (offset: number): Date => new Date(matrix.now.getTime() + offset);
    for (const { slug, state, gate, closed, owned, homepage } of cells) {
      const [{ id }] = await query(
        `insert into collections ("PlatformId", "UserId", name, "nameKey", "searchKey", slug, position, "gateClosed",
           "showOnHomepage", "publishedDate", "expireDate")
         values ($1, $2, $3, $3, $3, $3, 9, $4, $5, $6, $7) returning id`,
        [
          platformId,
          owned ? authorId : adminId,
          slug,
          closed,
          homepage,
          state === 'future' ? moment(1) : state === 'publishedNow' ? matrix.now : null,
          state === 'expired' ? moment(-1) : state === 'expiresNow' ? matrix.now : null,
        ],
      );
      idOf.set(slug, id);
      await query(
        `insert into collection_groups ("PlatformId", "CollectionId", "GroupId")
         select "PlatformId", $1, id from groups where slug = any($2)`,
        [id, GATES[gate]],
      );
    }
  });

  /** Whether the gate is open to the viewer, from the words of the rule. */
  function passes(viewer: ViewerName, { gate, closed, owned }: Cell): boolean {
    const facts: any = VIEWERS[viewer];
    const here = facts.platform === 'A' && !facts.pending;
    if (here && (isStaff(viewer) || (owned && facts.author))) return true;
    if (closed) return false;
    if (gate === 'none') return true;
    const inClub = here && facts.club && (facts.club.status ?? 'active') === 'active' && !facts.club.expired;
    const byRule = here && facts.tags?.some((tag: any) => tag.name === 'ruling' && !tag.expired);
    return Boolean((gate !== 'byRule' && inClub) || (gate !== 'club' && byRule));
  }
  const runs = ({ state }: Cell): boolean => state !== 'future' && state !== 'expired';
  const grid = (sees: (cell: Cell) => boolean): Record<string, boolean> =>
    Object.fromEntries(cells.map((cell) => [cell.slug, sees(cell)]));
  const listed = (items: any[]): Record<string, boolean> => {
    const slugs = new Set(items.map(({ slug }) => slug));
    return grid(({ slug }) => slugs.has(slug));
  };
  async function answered(viewer: ViewerName, path: (cell: Cell) => string) {
    const seen: Record<string, unknown> = {};
    for (const cell of cells) {
      const { status, body } = await matrix.as(viewer).get(path(cell));
      // Another answer than these two is neither, and differs from what is expected.
      seen[cell.slug] = status === 404 ? false : status === 200 && body.slug === cell.slug ? true : body;
    }
    return seen;
  }

  it.each(VIEWER_NAMES)('%s finds those that run and whose gate is open', async (viewer) => {
    const open = grid((cell) => runs(cell) && passes(viewer, cell));
    expect(await answered(viewer, ({ slug }) => `/api/collection-by-slug/${slug}/${platformId}`)).toEqual(
      open,
    );
    expect(await answered(viewer, ({ slug }) => `/api/collection/${idOf.get(slug)}/public`)).toEqual(open);
    const home = await matrix.as(viewer).get(`/api/collection/${platformId}`);
    expect(listed(home.body)).toEqual(grid((cell) => cell.homepage && runs(cell) && passes(viewer, cell)));
    const all = await matrix.as(viewer).get(`/api/collection/${platformId}?showHidden=true&contentLimit=1`);
    expect(listed(all.body)).toEqual(open);
    const inPublic = await matrix.as(viewer).get(`/api/collection/public/${platformId}?itemsPerPage=100`);
    expect(listed(inPublic.body.items)).toEqual(
      grid((cell) => cell.homepage && runs(cell) && passes('anonymous', cell)),
    );
    if (refusedById(viewer)) return;
    expect(await answered(viewer, ({ slug }) => `/api/collection-by-id/${idOf.get(slug)}`)).toEqual(
      isStaff(viewer) ? grid(() => true) : open,
    );
  });
});
