import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());

const LONG = 190 * 1024;
const fill = (piece: string): string => piece.repeat(Math.floor(LONG / piece.length));
/** Five times as long once it is sanitised. */
const GROWING = fill('&');

it.each([
  ['/api/content', { title: 'Long', type: 'article' }],
  ['/api/collection', { name: 'Long' }],
  ['/api/group', { name: 'Long' }],
])('%s refuses a description that is too long once it is sanitised', async (url, body) => {
  const { status, body: said } = await world.as('admin').post(url, { ...body, description: GROWING });
  expect([status, said.error.details]).toEqual([
    400,
    [{ field: 'description', issue: 'must be at most 204800 bytes once it is sanitised' }],
  ]);
  const fits = await world.as('admin').post(url, { ...body, description: fill('<p>word</p>') });
  expect([fits.status, fits.body[0].description.length]).toEqual([200, fill('<p>word</p>').length]);
});

it('takes 10,000 characters of whatever is typed in a comment, post or ad, and not what only markup makes long', async () => {
  const { id: contentId } = await world.content({ visibility: 'public' });
  const calls: [string, string, object][] = [
    ['/api/chat', 'message', { contentId }],
    ['/api/post', 'message', {}],
    ['/api/ad', 'body', { title: 'Ad', linkUrl: 'https://example.org/', placement: 'home' }],
  ];
  for (const [url, field, body] of calls) {
    const send = (html: string) => world.as('creator').post(url, { ...body, [field]: html });
    expect((await send('&'.repeat(10_000))).status).toBe(200);
    const { status, body: said } = await send('<a>x'.repeat(2_500));
    expect([url, status, said.error?.details]).toEqual([
      url,
      400,
      [{ field, issue: 'is too long once it is sanitised' }],
    ]);
  }
});

/** What took the parser or the passes over it longest. */
const HOSTILE = [
  '<b>',
  '<x><p>',
  '<a>',
  '<table><tr><td>',
  '<dl><dt>',
  '<svg>',
  '<',
  '&',
  '<b><i></b></i>',
  '&amp;',
];

it.each(HOSTILE)('a description of %j takes the API less than 300 ms of its time', async (piece) => {
  const send = (description: string) =>
    world.as('creator').post('/api/content', { title: 'Hostile', type: 'article', description });
  // The thread and the statements are there.
  await send(fill('<p>word</p>'));
  const description = fill(piece);
  let least = Infinity;
  // What else the process does meanwhile, such as collecting its garbage, is not the write's.
  for (let turn = 0; turn < 3; turn++) {
    const begin = process.threadCpuUsage();
    await send(description);
    const { user, system } = process.threadCpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  expect(least).toBeLessThan(300);
});
