import {
  AccessMatrix,
  expected,
  type Item,
  SECRET,
  table,
  VIEWER_NAMES,
  VIEWERS,
  type ViewerName,
} from '../factories/access-matrix';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let matrix: AccessMatrix;

beforeAll(async () => {
  test = await TestApp.start();
  matrix = await AccessMatrix.create(test, await World.create(test));
});
afterAll(() => test.stop());

/** What belongs to an item is there for those who may open it: not with a teaser. */
const readable = (viewer: ViewerName, items: Item[]): Record<string, string> =>
  table(items, (item) => (expected(item, viewer) === 'full' ? 'full' : 'absent'));

async function answered(
  viewer: ViewerName,
  items: Item[],
  url: (item: Item) => string,
): Promise<Record<string, string>> {
  const seen = new Map<number, 'full' | 'absent'>();
  for (const item of items) {
    const { status, body } = await matrix.as(viewer).get(url(item));
    // The list holds the one comment, the reactions are none so far.
    const found = body.items?.map((comment: any) => comment.messagePlain) ?? body.reactions;
    expect([status, body.error?.code ?? found]).toEqual(
      status === 404 ? [404, 'NOT_FOUND'] : [200, body.items ? [SECRET] : []],
    );
    seen.set(item.id, status === 200 ? 'full' : 'absent');
  }
  return table(items, ({ id }) => seen.get(id) ?? 'absent');
}

/** Many cells for one route, some for the others: they share the rule, not the statement. */
const MANY = (items: Item[]): Item[] =>
  items.filter(({ state, gate }) =>
    state === 'current' ? ['none', 'group', 'tag', 'premium', 'closed'].includes(gate) : gate === 'group',
  );
const SOME = (items: Item[]): Item[] =>
  items.filter(({ state, gate }) =>
    state === 'current'
      ? ['none', 'group', 'closed'].includes(gate)
      : ['future', 'flagged', 'deleted'].includes(state) && gate === 'group',
  );
const ROUTES: [string, (item: Item) => string, (items: Item[]) => Item[]][] = [
  ['the comments', ({ id }) => `/api/chat?contentId=${id}`, MANY],
  ['the replies', ({ commentId }) => `/api/replies?commentId=${commentId}`, SOME],
  ['its reactions', ({ id }) => `/api/content/${id}/reactions`, SOME],
  ["a comment's reactions", ({ commentId }) => `/api/chat/${commentId}/reactions`, SOME],
];

describe.each(VIEWER_NAMES)('%s', (viewer) => {
  it.each(ROUTES)('reads %s of an item that they may open, and of no other', async (_, url, pick) => {
    const items = pick(matrix.items);
    expect(await answered(viewer, items, url)).toEqual(readable(viewer, items));
  });
});

// After the reads, which count what is there.
describe.each(VIEWER_NAMES)('%s', (viewer) => {
  it('comments and reacts where they may read, as an active member of the platform', async () => {
    const items = matrix.items.filter(
      ({ state, gate }) => (state === 'current' || state === 'future') && gate === 'group',
    );
    const facts = VIEWERS[viewer];
    for (const item of items) {
      const mayRead = facts.platform === 'A' && expected(item, viewer) === 'full';
      const refused =
        facts.platform === null || 'pending' in facts ? 401 : 'banned' in facts ? 403 : mayRead ? 200 : 404;
      const cell = `${item.visibility} ${item.state}`;
      const comment = await matrix
        .as(viewer)
        .post('/api/chat', { contentId: item.id, message: `by ${viewer}` });
      const reaction = await matrix.as(viewer).post(`/api/content/${item.id}/reactions`, { emoji: 'heart' });
      const onComment = await matrix
        .as(viewer)
        .post(`/api/chat/${item.commentId}/reactions`, { emoji: 'heart' });
      expect([cell, comment.status, reaction.status, onComment.status]).toEqual([
        cell,
        refused,
        refused,
        refused,
      ]);
      expect(comment.body[0]?.messagePlain).toBe(refused === 200 ? `by ${viewer}` : undefined);
    }
  });
});
