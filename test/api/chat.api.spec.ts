import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

describe('GET /api/chat', () => {
  it('pages top-level comments in the order they were written', async () => {
    const { id } = await world.content();
    const said: number[] = [];
    for (let index = 0; index < 7; index++) said.push((await world.comment(id)).id);
    const first = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ totalItems: 7, currentPage: 1, itemsPerPage: 3, totalPages: 3 });
    expect(first.body.items.map((item: { id: number }) => item.id)).toEqual(said.slice(0, 3));
    const last = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3&currentPage=3`);
    expect(last.body.items.map((item: { id: number }) => item.id)).toEqual(said.slice(6));
    const newest = await world
      .anonymous()
      .get(`/api/chat?contentId=${id}&itemsPerPage=3&sort=createdAt:desc&currentPage=3`);
    expect(newest.body.items.map((item: { id: number }) => item.id)).toEqual(said.slice(0, 1));
    const past = await world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=3&currentPage=9`);
    expect(past.body).toMatchObject({ items: [], totalItems: 7 });
  });

  it('costs one statement whatever the page', async () => {
    const { id } = await world.content();
    for (let index = 0; index < 5; index++) await world.comment(id);
    for (const page of [1, 2, 3]) {
      const queries = await test.queriesOf(() =>
        world.anonymous().get(`/api/chat?contentId=${id}&itemsPerPage=2&currentPage=${page}`),
      );
      expect(queries).toHaveLength(1);
    }
  });
});
