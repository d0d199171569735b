import {
  AccessMatrix,
  type Asked,
  expected,
  found,
  type Item,
  type Sight,
  sightOf,
  table,
  VIEWER_NAMES,
  VIEWERS,
  type ViewerName,
  VISIBILITIES,
  wanted,
} from '../factories/access-matrix';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let matrix: AccessMatrix;

beforeAll(async () => {
  test = await TestApp.start();
  matrix = await AccessMatrix.create(test, await World.create(test));
});
afterAll(() => test.stop());

const isPending = (viewer: ViewerName): boolean => 'pending' in VIEWERS[viewer];

async function searched(viewer: ViewerName): Promise<Record<string, Sight>> {
  const seen = new Map<number, Sight>();
  for (const visibility of VISIBILITIES) {
    const { status, body } = await matrix
      .as(viewer)
      .get(
        `/api/content/search?q=matrix ${visibility}&limit=100&PlatformId=${platformId()}`.replaceAll(
          ' ',
          '%20',
        ),
      );
    expect(status).toBe(200);
    for (const item of body.items) seen.set(item.id, found(item));
  }
  return table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');
}

async function collected(viewer: ViewerName, showHidden: boolean): Promise<Record<string, Sight>> {
  const { status, body }: Answer = await matrix
    .as(viewer)
    .get(`/api/collection/${platformId()}?showHidden=${showHidden}`);
  expect(status).toBe(200);
  const seen = new Map<number, Sight>();
  for (const item of body[0].Contents) seen.set(item.id, sightOf(item));
  return table(matrix.items, ({ id }) => seen.get(id) ?? 'absent');
}

/** Out of collections goes what is not running, and the unlisted unless asked for, whoever looks. */
const inCollection = (viewer: ViewerName, asked: Asked & { showHidden: boolean }): Record<string, Sight> =>
  table(matrix.items, (item) =>
    item.state === 'future' || item.state === 'expired' || (item.visibility === 'hidden' && !asked.showHidden)
      ? 'absent'
      : expected(item, viewer, { inList: true, ...asked }),
  );

let platform: number;
const platformId = (): number => platform;
beforeAll(async () => {
  const [row] = await test.db.dataSource.query(`select "PlatformId" as id from collections where id = $1`, [
    matrix.collectionId,
  ]);
  platform = row.id;
});

describe('the oracle', () => {
  it('makes every outcome occur for somebody', () => {
    const outcomes = new Set(
      VIEWER_NAMES.flatMap((viewer) => matrix.items.map((item) => expected(item, viewer))),
    );
    expect(outcomes).toEqual(new Set(['full', 'teaser', 'absent']));
  });
});

describe.each(VIEWER_NAMES)('%s', (viewer) => {
  it('reads by id what the rule says', async () => {
    const refused = viewer === 'anonymous' ? 'UNAUTHORIZED' : isPending(viewer) ? 'EMAIL_NOT_VERIFIED' : null;
    const elsewhere = VIEWERS[viewer].platform === 'B';
    const seen = new Map<number, string>();
    for (const item of matrix.fewerItems) {
      const { status, body } = await matrix.as(viewer).get(`/api/content/${item.id}`);
      seen.set(item.id, status === 200 ? sightOf(body) : `${status} ${body.error.code}`);
    }
    const spoken = (item: Item): string => {
      const sight = elsewhere ? 'absent' : expected(item, viewer);
      return refused ? `401 ${refused}` : sight === 'absent' ? '404 NOT_FOUND' : sight;
    };
    expect(table(matrix.fewerItems, ({ id }) => seen.get(id) ?? 'not asked')).toEqual(
      table(matrix.fewerItems, spoken),
    );
  });

  it('finds in the search of the platform what the rule says', async () => {
    expect(await searched(viewer)).toEqual(wanted(viewer, matrix.items, { inList: true }));
  });

  it('finds in collections by platform what the rule says', async () => {
    expect(await collected(viewer, false)).toEqual(inCollection(viewer, { showHidden: false }));
    expect(await collected(viewer, true)).toEqual(inCollection(viewer, { showHidden: true }));
  });
});

describe('with showTeasers false', () => {
  beforeAll(() =>
    test.db.dataSource.query(`update platforms set settings = '{"showTeasers": false}' where id = $1`, [
      platform,
    ]),
  );

  it.each(VIEWER_NAMES)('%s finds no teaser in search and collections', async (viewer) => {
    expect(await searched(viewer)).toEqual(
      wanted(viewer, matrix.items, { inList: true, showTeasers: false }),
    );
    expect(await collected(viewer, true)).toEqual(
      inCollection(viewer, { showHidden: true, showTeasers: false }),
    );
  });

  it('answers 404 by id where a teaser was', async () => {
    for (const item of matrix.items.filter(({ visibility }) => visibility === 'members')) {
      const { status } = await matrix.as('free').get(`/api/content/${item.id}`);
      expect([item, status]).toEqual([
        item,
        expected(item, 'free', { showTeasers: false }) === 'full' ? 200 : 404,
      ]);
    }
  });
});
