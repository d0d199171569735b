import { escapeHtml, plainText } from '#libs/markup';
import { TextsOfContent1763830000000 } from '../../src/operations/migrations/1763830000000-texts-of-content';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

/** What people write, and what only an attacker would. */
const TEXTS = [
  '',
  '<p>Short.</p>',
  `<p>${'Word '.repeat(100)}</p>`,
  `<p>${'&'.repeat(500)}</p>`,
  `<p>${'x'.repeat(199)}😀😀</p>`,
  '😀'.repeat(300),
  `${'<b>'.repeat(80)}deep${'</b>'.repeat(80)}`,
  '<h2>One</h2><ul><li>Two</li><li>Three</li></ul><pre>a  b\n\n\nc</pre>',
  "<p>&lt;img src=x onerror=y&gt; R&amp;D &quot;said&quot; 'so'&nbsp;&nbsp;!</p>",
  '&amp;lt;b&amp;gt; &copy; &#8212;',
  '<p>مرحبا <em>بالعالم</em></p><p>你好</p>',
  '<script>no</script><p title="x">yes</p><!-- no -->',
  `<table><tr><td>1</td><td>2</td></tr></table>${'<p>tail</p>'.repeat(100)}`,
];

/** What a read made of a stored text before teasers were stored. */
const expected = (html: string): { html: string; text: string } => {
  const text = [...plainText(html)].slice(0, 200).join('');
  return { html: escapeHtml(text), text };
};

interface Stored {
  id: number;
  description: string;
  plainText: string;
  teaser: string;
}
const stored = (): Promise<Stored[]> =>
  test.db.dataSource.query(`select id, description, "plainText", teaser from contents order by id`);

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  const group = (await world.as('admin').post('/api/group', { name: 'Crew', visibility: 'public' })).body[0];
  for (const [index, description] of TEXTS.entries()) {
    const { status } = await world.as('creator').post('/api/content', {
      title: `Needle ${index}`,
      type: index % 2 ? 'post' : 'article',
      visibility: 'members',
      GroupIds: [group.id],
      description,
    });
    expect(status).toBe(200);
  }
});
afterAll(() => test.stop());

it('show of every text what they showed when each read made them', async () => {
  const rows = await stored();
  expect(rows).toHaveLength(TEXTS.length);
  const reader = world.as('free');
  const platformId = world.platformId();
  const cards = (await reader.get('/api/contents?itemsPerPage=100')).body.items;
  const found = (await reader.get('/api/content/search?q=needle&limit=100')).body.items;
  const feed = (await reader.get('/api/feed?limit=100')).body.items;
  const posts = (await reader.get(`/api/posts?PlatformId=${platformId}&itemsPerPage=100`)).body.items;
  for (const [index, { id, description, ...texts }] of rows.entries()) {
    const { html, text } = expected(description);
    expect(texts).toEqual({ plainText: plainText(description), teaser: html });
    const item = { id, locked: true, description: html };
    expect((await reader.get(`/api/content/${id}`)).body).toMatchObject(item);
    expect((await world.anonymous().get(`/api/content/${id}/public`)).body).toMatchObject(item);
    expect(cards).toContainEqual(expect.objectContaining(item));
    expect(feed).toContainEqual(expect.objectContaining(item));
    expect(found).toContainEqual(expect.objectContaining({ id, description: html }));
    if (index % 2 === 0) continue;
    const post = { id, message: html, description: html, messagePlain: text };
    expect(posts).toContainEqual(expect.objectContaining(post));
    expect((await reader.get(`/api/post/${id}`)).body).toMatchObject(post);
    // To those who may open it, the whole text.
    const open = { id, message: description, messagePlain: plainText(description) };
    expect((await world.as('creator').get(`/api/post/${id}`)).body).toMatchObject(open);
  }
});

it('follow a text that is changed, and stay with one that is not', async () => {
  const [{ id } = { id: 0 }] = await stored();
  await world.as('creator').post('/api/content', { id, description: '<p>New & <b>bold</b></p>' });
  const shown = async (): Promise<unknown> =>
    (await world.as('free').get(`/api/content/${id}`)).body.description;
  expect(await shown()).toBe('New &amp; bold');
  await world.as('creator').post('/api/content', { id, title: 'Renamed' });
  expect(await shown()).toBe('New &amp; bold');
});

it('are made for items from before they were stored', async () => {
  const before = await stored();
  const runner = test.db.dataSource.createQueryRunner();
  const migration = new TextsOfContent1763830000000();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  expect(await stored()).toEqual(before);
});
