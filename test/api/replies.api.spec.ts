import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const idsOf = ({ body }: { body: any }): number[] => body.items.map((item: { id: number }) => item.id);

describe('GET /api/replies', () => {
  it('pages the direct replies of a comment, in one statement', async () => {
    const content = await world.content();
    const parent = await world.comment(content.id);
    const replies: number[] = [];
    for (let index = 0; index < 4; index++) {
      replies.push((await world.comment(content.id, { parentCommentId: parent.id })).id);
    }
    const nested = await world.comment(content.id, { parentCommentId: replies[0] });
    const url = `/api/replies?commentId=${parent.id}&itemsPerPage=3`;
    const first = await world.anonymous().get(url);
    expect(first.body).toMatchObject({ totalItems: 4, totalPages: 2, itemsPerPage: 3, currentPage: 1 });
    expect(idsOf(first)).toEqual(replies.slice(0, 3));
    expect(first.body.items[0]).toMatchObject({ parentCommentId: parent.id, replyCount: 1 });
    expect(idsOf(await world.anonymous().get(`${url}&currentPage=2`))).toEqual(replies.slice(3));
    expect(idsOf(await world.anonymous().get(`${url}&sort=createdAt:desc`))).toEqual(
      replies.slice(1).reverse(),
    );
    expect(idsOf(await world.anonymous().get(`/api/replies?commentId=${replies[0]}`))).toEqual([nested.id]);
    expect(await test.queriesOf(() => world.anonymous().get(url))).toHaveLength(1);
    expect(idsOf(await world.anonymous().get(`/api/chat?contentId=${content.id}`))).toEqual([parent.id]);
  });

  it('lists the replies to a deleted comment', async () => {
    const content = await world.content();
    const parent = await world.comment(content.id);
    const reply = await world.comment(content.id, { parentCommentId: parent.id });
    await test.db.dataSource.query(`update comments set "deletedAt" = now() where id = $1`, [parent.id]);
    expect(idsOf(await world.anonymous().get(`/api/replies?commentId=${parent.id}`))).toEqual([reply.id]);
  });
});
