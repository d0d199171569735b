import { readFileSync } from 'node:fs';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

interface Operation {
  parameters?: { name: string; in: string; schema?: { enum?: string[] } }[];
}
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, { get?: Operation }>;
};
const PAGES = Object.entries(paths).flatMap(([path, { get }]) => {
  const parameters = get?.parameters ?? [];
  return parameters.some(({ name }) => name === 'itemsPerPage') ? [{ path, parameters }] : [];
});

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

it('there are pages', () => {
  expect(PAGES.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/users', '/api/chat']));
});

describe.each(PAGES)('GET $path', ({ path, parameters }) => {
  const refused = async (name: string, value: string): Promise<unknown> => {
    const url = path.replace(/\{\w+\}/g, '1');
    const client = world.as('admin');
    const { status, body } = await client.get(
      `${url}?contentId=1&commentId=1&${name}=${encodeURIComponent(value)}`,
    );
    return [status, body.error.details];
  };
  const faultOf = (field: string): unknown => [400, [{ field, issue: expect.any(String) }]];

  it.each(['nope:1', '{"nope":1}', 'id', '[1]', 'x'])('refuses the filters %s', async (filters) => {
    expect(await refused('filters', filters)).toEqual(faultOf('filters'));
  });

  it.each(['nope:asc', 'nope', 'passwordHash:desc', ''])('refuses the sort "%s"', async (sort) => {
    expect(await refused('sort', sort)).toEqual(faultOf('sort'));
  });

  it('refuses an order without a direction, or with another', async () => {
    const sort = parameters.find(({ name }) => name === 'sort')?.schema?.enum?.[0]?.split(':')[0] ?? '';
    for (const direction of ['', ':', ':ASC', ':up', ':asc,id:asc'])
      expect(await refused('sort', `${sort}${direction}`)).toEqual(faultOf('sort'));
  });
});
