import { World, type Person } from '../factories/world';
import { TestApp } from '../support/test-app';

jest.setTimeout(60_000);

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

/** How many statements the connections keep for the requests. */
async function keptFor(...requests: (() => Promise<unknown>)[]): Promise<number> {
  const sent = jest.spyOn(test.db.pool, 'query');
  try {
    for (const request of requests) await request();
    const names = sent.mock.calls.map(([{ name }]) => name);
    return new Set(names.filter((name) => name !== undefined)).size;
  } finally {
    sent.mockRestore();
  }
}

const CALLERS: (Person | null)[] = [null, 'free', 'basic', 'premium', 'creator', 'admin'];
const callers = () => CALLERS.map((person) => (person ? world.as(person) : world.anonymous()));

describe('what connections keep', () => {
  it('is a few statements for comments and replies, whatever sizes of pages are asked for', async () => {
    const { id } = await world.content();
    const comment = await world.comment(id);
    const lists = [`/api/chat?contentId=${id}`, `/api/replies?commentId=${comment.id}`];
    const kept = await keptFor(
      ...lists.flatMap((list) =>
        ['asc', 'desc'].flatMap((order) =>
          callers().flatMap((caller, index) =>
            Array.from(
              { length: 100 },
              (_, size) => () => caller.get(`${list}&sort=createdAt:${order}&itemsPerPage=${size + 1}`),
            ).filter((_, size) => index === 0 || size % 11 === 0),
          ),
        ),
      ),
    );
    // Visitors, members and staff; six classes of sizes one way and one statement the other; two lists; the caller.
    expect(kept).toBeLessThanOrEqual(3 * (6 + 1) * 2 + 2);
    expect(kept).toBeGreaterThan(12);
  });

  it('is a few statements for collections, whatever limits are asked for', async () => {
    const slug = 'kept';
    const { id } = await world.collection({ slug, showOnHomepage: true });
    const platform = world.platformId();
    const paths = (limit: number): string[] => [
      `/api/collection/${platform}?limit=${limit}&contentLimit=${limit}`,
      `/api/collection/${platform}?showHidden=true&contentLimit=${limit}`,
      `/api/collection-by-slug/${slug}/${platform}?limit=${limit}`,
      `/api/collection/${id}/public?limit=${limit}`,
    ];
    const kept = await keptFor(
      ...callers().flatMap((caller) =>
        [1, 2, 3, 40, 50].flatMap((limit) => paths(limit).map((path) => () => caller.get(path))),
      ),
    );
    expect(kept).toBeLessThanOrEqual(3 * 4 + 2);
  });
});
